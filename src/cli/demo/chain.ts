import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Address } from '../../util/hex.ts'
import type { Log } from '../../util/log.ts'
import { startActivity } from './activity.ts'
import { startAnvilProcess } from './anvilProcess.ts'
import { connectDemoChain } from './client.ts'
import { type DemoCollections, deployCollections } from './collections.ts'

/** The demo's own chain: three collections that draw their pictures, and a block with a few transfers now and then. */
export type DemoChain = {
  rpcUrl: string
  chainId: bigint
  /** What `chain=` calls it. */
  name: 'local'
  collections: DemoCollections
  /** One of the accounts that hold the tokens. */
  account: Address
  stop(): Promise<void>
}

export type DemoChainOptions = {
  /** Temporary folder of the demo; what the chain writes goes below it. */
  folder: string
  log: Log
  /** Aborts the start. A started chain is ended by `stop`, after its readers. */
  signal?: AbortSignal
  /** Between two blocks, 2,000 if omitted. */
  blockIntervalMs?: number
}

const chainId = 0x7a69n

/**
 * Starts anvil, fills it and keeps it moving until stopped: 0.7 s on two cores. The chain dies with this process,
 * however that ends.
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
      // `finalized` is two epochs below the head: 16 blocks instead of 64, so that it passes the first mints at once.
      '--slots-in-an-epoch',
      '8',
      '--cache-path',
      cache,
      // Each block keeps a whole state: 1.4 MB, on disk beyond the 500th, which was 2.5 GB an hour.
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
  // The client retries a chain that has stopped for minutes.
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
