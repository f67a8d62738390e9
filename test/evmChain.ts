import type { EvmChain } from '../src/chain/evm/chains.ts'

/** A chain as the configuration would add it; id 31337 unless set. */
export function evmChain(rpc: readonly string[], overrides: Partial<EvmChain> = {}): EvmChain {
  return {
    id: 31337n,
    name: 'local',
    names: ['local'],
    rpc,
    confirmations: 12,
    finalityDepth: 64,
    pollIntervalMs: 100,
    configured: true,
    ...overrides,
  }
}
