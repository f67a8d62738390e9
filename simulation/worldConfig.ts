import type { ConfigInput } from '../src/config/config.ts'
import { worldKey } from './clients/worldClient.ts'

/** Confirmations of the world's chain. */
export const confirmations = 3

/** The configuration of all processes of a world. Waits are short, so that a minute covers what takes days elsewhere. */
export function worldConfig(outside: {
  databaseUrl: string
  rpc: string[]
  aptos: NonNullable<ConfigInput['aptos']>[string]
  /** The scope of wallets. */
  wallets: 'chain' | 'indexed'
}): ConfigInput {
  const { databaseUrl, rpc, aptos, wallets } = outside
  return {
    apiKey: worldKey,
    databaseUrl,
    databasePoolSize: 8,
    logLevel: 'info',
    chains: { local: { id: '0x7a69', rpc, confirmations, pollIntervalMs: 100, wallets } },
    aptos: { mainnet: aptos },
    rpc: { timeoutMs: 2_000, batchSize: 20, maxLogRange: 40 },
    sync: { sliceMs: 500 },
    metadata: { retryDelaysMs: [200, 400, 800, 1_600], coolOffMs: 100 },
    outbound: { allow: ['127.0.0.1'], timeoutMs: 2_000, idleTimeoutMs: 1_000, connectTimeoutMs: 2_000 },
    webhooks: { retryDelaysMs: Array.from({ length: 100 }, () => 150), timeoutMs: 3_000, minSuccessRate: 0 },
  }
}
