import type { Database } from '../db/database.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { BlockRange } from '../sync/blockRange.ts'
import { MintmarkError } from '../util/errors.ts'
import type { CoinRun } from './coinRuns.ts'
import type { Network } from './createNetwork.ts'
import type { Coin } from './decode/coin.ts'
import { countWithin, cover, raiseVersions } from './networkStore.ts'
import { storeCoins } from './storeCoins.ts'
import { storeStates } from './storeStates.ts'

/** Another process reads the network now; what this process read is discarded. */
export class NetworkLostError extends MintmarkError {
  readonly code = 'NETWORK_LOST'
  override readonly retryable = true
}

/** For how many versions deletions of unknown objects are kept, if not all earlier versions are read: a day or two of a busy network. */
const keptVersions = 10_000_000n

export type CommitOptions = {
  network: Network
  db: Database
  metrics: Metrics
  /** This worker's id, undefined if it does not hold the network. */
  worker: () => number | undefined
  /** Versions that are omitted, and why, as readable text; undefined if none are. */
  leftOut: () => string | undefined
}

/**
 * Stores the coins of `range`, what changed in it, and that it is covered, all or nothing. `live`: the range was read at the head. Throws
 * NetworkLostError.
 */
export async function commitVersions(
  { network, db, metrics, worker, leftOut }: CommitOptions,
  range: BlockRange,
  { coins, runs, head, live }: { coins: readonly Coin[]; runs: readonly CoinRun[]; head: bigint; live: boolean },
): Promise<void> {
  const id = worker()
  if (id === undefined) throw new NetworkLostError(`this process does not hold ${network.name} any more`)
  const { reached, changed } = await db.transaction(async (tx) => {
    const failure = leftOut() ?? null
    const reached = await cover(tx, { id: network.id, ...range, head, live, worker: id, failure })
    if (!reached) throw new NetworkLostError(`${network.name} is read elsewhere`)
    const { changed, ended } = await storeCoins(tx, { networkId: network.id, ...range, coins })
    const { shownBefore, shown } = reached
    const [wholeBefore, whole] = [reached.wholeBefore ?? -1n, reached.whole ?? -1n]
    // Versions that were stored before can become shown with the range: above it, and below where it is the first to be read.
    const isJoined = shown > shownBefore && (shown > range.to || range.from > shownBefore + 1n)
    const others = isJoined ? await countWithin(tx, network.id, shownBefore, shown) : { coins: 0, assets: 0 }
    // Nothing reads the versions before the first one to read, and hardly an asset is ever deleted: of these only the newest are kept.
    const oldest = live && whole < range.from && range.to > keptVersions ? range.to - keptVersions : undefined
    await storeStates(tx, {
      networkId: network.id,
      runs,
      // From 0 on, as a file may bring what was written before the first version to read, and a configuration may lower that version.
      hasGap: whole < range.from,
      forgetTo: whole > wholeBefore && whole > range.to ? whole : oldest,
    })
    const isBehind = range.from <= shownBefore
    const changeIn = (of: 'coins' | 'assets') => ({
      isVisible: changed[of] > 0 || ended[of] > 0 || others[of] > 0,
      isRearranged: ended[of] > 0 || (changed[of] > 0 && isBehind),
    })
    await raiseVersions(tx, network.id, {
      imports: -(ended.coins + ended.assets),
      coins: changeIn('coins'),
      assets: changeIn('assets'),
      states: runs.length > 0 || isJoined,
    })
    return { reached, changed: changed.coins + changed.assets }
  })
  const labels = { network: network.name }
  metrics.rows.inc({ chain: network.name, table: 'coin' }, changed)
  metrics.aptosHeadVersion.set(labels, Number(reached.head))
  metrics.aptosLagVersions.set(labels, Number(reached.head - (reached.toVersion ?? -1n)))
}
