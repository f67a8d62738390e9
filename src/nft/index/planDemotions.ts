import type { FollowedBlock } from '../../sync/blockHandler.ts'
import type { Address } from '../../util/hex.ts'
import { surveyLogs } from '../transfers/decodeTransfers.ts'
import type { CollectionKey } from '../transfers/transferGroup.ts'

/**
 * Most transfers that one transaction of a chain stores or undoes, about a second, as all other collections of the
 * chain wait for it. If a block has more, the collections with most transfers leave it, and catch up in such parts
 * between two blocks. Larger undos also run in such parts before that.
 */
export const mostPartTransfers = 4_000

export type DemotionPlan = {
  /** Collections that leave the head, with the first block that is not applied to them. */
  demoted: Map<Address, bigint>
  /** Number of blocks that one transaction stores without them, at least one. */
  fitting: number
}

/**
 * For consecutive blocks: the live collections that leave the head, largest first, until no block has more than `most`
 * transfers. `fitting`: how many blocks have at most that many together.
 */
export function planDemotions(
  blocks: readonly FollowedBlock[],
  live: ReadonlyMap<Address, CollectionKey>,
  most: number,
): DemotionPlan {
  const demoted = new Map<Address, bigint>()
  let fitting = 0
  let total = 0
  for (const { header, logs } of blocks) {
    const moved = countTransfers(logs, live).filter(({ address }) => !demoted.has(address))
    let sum = moved.reduce((all, { transfers }) => all + transfers, 0)
    for (const { address, transfers } of moved.sort((a, b) => b.transfers - a.transfers)) {
      if (sum <= most) break
      demoted.set(address, header.number)
      sum -= transfers
    }
    total += sum
    if (fitting > 0 && total > most) break
    fitting++
  }
  return { demoted, fitting }
}

/** The live collections to which block `number` is applied. */
export function followedIn(
  live: ReadonlyMap<Address, CollectionKey>,
  demoted: DemotionPlan['demoted'],
  number: bigint,
): ReadonlyMap<Address, CollectionKey> {
  if (demoted.size === 0) return live
  return new Map([...live].filter(([address]) => (demoted.get(address) ?? number + 1n) > number))
}

/** The transfers of each live collection in a block. */
function countTransfers(
  logs: FollowedBlock['logs'],
  live: ReadonlyMap<Address, CollectionKey>,
): { address: Address; transfers: number }[] {
  return [...Map.groupBy(logs, ({ address }) => address)].flatMap(([address, own]) => {
    const collection = live.get(address)
    return collection ? [{ address, transfers: surveyLogs(own, collection).transfers }] : []
  })
}
