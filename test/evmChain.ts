import type { EvmChain } from '../src/chain/evm/chains.ts'

/** A chain as the configuration adds it; the default id is 31337. */
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
