import type { Database } from '../db/database.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { BlockRange } from '../sync/blockRange.ts'
import { MintmarkError } from '../util/errors.ts'
import type { Coin } from './coin.ts'
import type { Network } from './createNetwork.ts'
import { anyCoinWithin, cover, raiseVersion } from './networkStore.ts'
import { storeCoins } from './storeCoins.ts'

/** Another process reads the network now; what this process read is discarded. */
export class NetworkLostError extends MintmarkError {
  readonly code = 'NETWORK_LOST'
  override readonly retryable = true
}

export type CommitOptions = {
  network: Network
  db: Database
  metrics: Metrics
  /** This worker's id, undefined where it does not hold the network. */
  worker: () => number | undefined
  /** Versions that are left out, and why, for people; undefined where none are. */
  leftOut: () => string | undefined
}

/**
 * Stores the coins of `range` and that the range is covered, both or neither. `live`: the range was read at the head. Throws
 * NetworkLostError.
 */
export async function commitVersions(
  { network, db, metrics, worker, leftOut }: CommitOptions,
  range: BlockRange,
  { coins, head, live }: { coins: readonly Coin[]; head: bigint; live: boolean },
): Promise<void> {
  const id = worker()
  if (id === undefined) throw new NetworkLostError(`this process does not hold ${network.name} any more`)
  const { reached, changed } = await db.transaction(async (tx) => {
    const failure = leftOut() ?? null
    const reached = await cover(tx, { id: network.id, ...range, head, live, worker: id, failure })
    if (!reached) throw new NetworkLostError(`${network.name} is read elsewhere`)
    const { changed, ended } = await storeCoins(tx, { networkId: network.id, ...range, coins })
    const { shownBefore, shown } = reached
    // Above the range, versions that were stored before can become shown with it.
    const others =
      shown > shownBefore && shown !== range.to && (await anyCoinWithin(tx, network.id, shownBefore, shown))
    const visible = changed > 0 || ended > 0 || others
    const rearranged = ended > 0 || (changed > 0 && range.from <= shownBefore)
    if (visible) await raiseVersion(tx, network.id, { imports: -ended, rearranged })
    return { reached, changed }
  })
  const labels = { network: network.name }
  metrics.rows.inc({ chain: network.name, table: 'coin' }, changed)
  metrics.aptosHeadVersion.set(labels, Number(reached.head))
  metrics.aptosLagVersions.set(labels, Number(reached.head - (reached.toVersion ?? -1n)))
}
