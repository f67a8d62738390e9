import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Address } from '../../util/hex.ts'
import type { Log } from '../../util/log.ts'
import { startActivity } from './activity.ts'
import { startAnvilProcess } from './anvilProcess.ts'
import { connectDemoChain, type DemoCollections, deployCollections } from './collections.ts'

/** The demo's chain: three collections with on-chain images, and regular blocks with a few transfers. */
export type DemoChain = {
  rpcUrl: string
  chainId: bigint
  /** Its name in `chain=`. */
  name: 'local'
  collections: DemoCollections
  /** One of the token holders. */
  account: Address
  stop(): Promise<void>
}

export type DemoChainOptions = {
  /** Temporary folder of the demo; the chain writes below it. */
  folder: string
  log: Log
  /** Aborts the start. A running chain is stopped by `stop`, after its readers. */
  signal?: AbortSignal
  /** Milliseconds between blocks; default: 2,000. */
  blockIntervalMs?: number
}

const chainId = 0x7a69n

/**
 * Starts anvil, deploys the collections and keeps making transfers until stopped. Takes 0.7 s on two cores. Anvil never
 * outlives this process.
 */
export async function startDemoChain(options: DemoChainOptions): Promise<DemoChain> {
  const { folder, log, signal } = options
  const ending = new AbortController()
  const giveUp = () => ending.abort()
  signal?.addEventListener('abort', giveUp)
  if (signal?.aborted) giveUp()
  const cache = join(folder, 'anvil')
  mkdirSync(cache, { recursive: true })
  const started = performance.now()
  const anvil = await startAnvilProcess({
    signal: ending.signal,
    args: [
      '--chain-id',
      String(chainId),
      '--gas-limit',
      '300000000',
      // `finalized` is two epochs below the head: 16 blocks instead of 64, so the first mints are final immediately.
      '--slots-in-an-epoch',
      '8',
      '--cache-path',
      cache,
      // Anvil keeps the whole state of each block: 1.4 MB, on disk after the 500th, or 2.5 GB an hour.
      '--prune-history',
      '128',
    ],
  })
  async function fill() {
    const client = connectDemoChain(anvil.url)
    const accounts = await client.getAddresses()
    const collections = await deployCollections({ client, accounts })
    const intervalMs = options.blockIntervalMs ?? 2_000
    const activity = await startActivity({ client, accounts, collections, log, intervalMs })
    return { collections, account: accounts[0]!.toLowerCase() as Address, activity }
  }
  // The client would retry a stopped chain for minutes.
  const givenUp = once(ending.signal, 'abort').then(() => {
    throw ending.signal.reason
  })
  try {
    ending.signal.throwIfAborted()
    const { collections, account, activity } = await Promise.race([fill(), givenUp])
    log.info({ rpcUrl: anvil.url, ...collections, ms: Math.round(performance.now() - started) }, 'demo chain ready')
    return {
      rpcUrl: anvil.url,
      chainId,
      name: 'local',
      collections,
      account,
      stop: async () => {
        await activity.stop()
        await anvil.stop()
      },
    }
  } catch (error) {
    await anvil.stop()
    throw error
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
}
