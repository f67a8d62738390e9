import type { Database } from '../db/database.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { BlockRange } from '../sync/blockRange.ts'
import { MintmarkError } from '../util/errors.ts'
import type { CoinRun } from './coinRuns.ts'
import type { Network } from './createNetwork.ts'
import type { Coin } from './decode/coin.ts'
import { countWithin, cover, raiseNetworkVersions } from './networkStore.ts'
import { storeCoins } from './storeCoins.ts'
import { storeStates } from './storeStates.ts'

/** Another process now reads the network; this process's result is discarded. */
export class NetworkLostError extends MintmarkError {
  readonly code = 'NETWORK_LOST'
  override readonly retryable = true
}

/** Versions for which deletions of unknown objects are kept, unless all earlier versions are read: a day or two of a busy network. */
const keptVersions = 10_000_000n

export type CommitOptions = {
  network: Network
  db: Database
  metrics: Metrics
  /** Id of this worker; undefined if it does not hold the network. */
  worker: () => number | undefined
  /** Skipped versions with the reason, as readable text; undefined: none. */
  skipped: () => string | undefined
}

/** Stores the coins and states of `range` and its coverage, all or nothing. `live`: the range was read at the head. Throws NetworkLostError. */
export async function commitVersions(
  { network, db, metrics, worker, skipped }: CommitOptions,
  range: BlockRange,
  { coins, runs, head, live }: { coins: readonly Coin[]; runs: readonly CoinRun[]; head: bigint; live: boolean },
): Promise<void> {
  const id = worker()
  if (id === undefined) throw new NetworkLostError(`this process does not hold ${network.name} any more`)
  const { reached, changed } = await db.transaction(async (tx) => {
    const failure = skipped() ?? null
    const reached = await cover(tx, { id: network.id, ...range, head, live, worker: id, failure })
    if (!reached) throw new NetworkLostError(`${network.name} is read elsewhere`)
    const { changed, ended } = await storeCoins(tx, { networkId: network.id, ...range, coins })
    const { shownBefore, shown } = reached
    const [wholeBefore, whole] = [reached.wholeBefore ?? -1n, reached.whole ?? -1n]
    // The range can make earlier stored versions visible: those above it, and those below if it is the first to read.
    const isJoined = shown > shownBefore && (shown > range.to || range.from > shownBefore + 1n)
    const others = isJoined ? await countWithin(tx, network.id, shownBefore, shown) : { coins: 0, assets: 0 }
    // Versions before the first one are never read, and assets are rarely deleted: only the newest deletions are kept.
    const oldest = live && whole < range.from && range.to > keptVersions ? range.to - keptVersions : undefined
    await storeStates(tx, {
      networkId: network.id,
      runs,
      // From 0, as a file may add writes before the first version to read, and a configuration may lower that version.
      hasGap: whole < range.from,
      forgetTo: whole > wholeBefore && whole > range.to ? whole : oldest,
    })
    const isChanged = (of: 'coins' | 'assets') => changed[of] > 0 || ended[of] > 0 || others[of] > 0
    await raiseNetworkVersions(tx, network.id, {
      imports: -(ended.coins + ended.assets),
      coins: isChanged('coins'),
      assets: isChanged('assets'),
      states: runs.length > 0 || isJoined,
    })
    return { reached, changed: changed.coins + changed.assets }
  })
  const labels = { network: network.name }
  metrics.rows.inc({ chain: network.name, table: 'coin' }, changed)
  metrics.aptosHeadVersion.set(labels, Number(reached.head))
  metrics.aptosLagVersions.set(labels, Number(reached.head - (reached.toVersion ?? -1n)))
}
