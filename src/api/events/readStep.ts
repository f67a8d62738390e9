import type { ChangeQuery } from '../../nft/changeQuery.ts'
import { endOfBlock, type TransferQuery } from '../../nft/transferQuery.ts'
import { placeOf, readTransfers, type TransferRecord } from '../../nft/transferRecord.ts'
import type { FollowedBlock } from '../../nft/walletQuery.ts'
import { CollectionMovedError } from '../../util/errors.ts'
import type { FeedState } from './feed.ts'
import type { FeedPlace } from './place.ts'

/** Most transfers of one event; a block with more has several. */
export const mostTransfers = 1_000

/** An event before serialisation: its block, and the place after it. */
export type FeedEvent = { block: FollowedBlock; version: string | null; place: FeedPlace } & (
  | { reverted: true }
  | { reverted: false; transfers: Omit<TransferRecord, 'item'>[]; more: boolean }
)

/** Events after a place. `more`: call again immediately. */
export type FeedStep = { events: FeedEvent[]; place: FeedPlace; more: boolean }

/**
 * Reads what follows `place`: blocks undone since, or the next blocks with transfers. Throws CollectionMovedError if
 * the chain moved meanwhile.
 */
export async function readStep(
  { changes, transfers }: { changes: ChangeQuery; transfers: TransferQuery },
  state: FeedState,
  place: FeedPlace,
): Promise<FeedStep> {
  const { source, toBlock, version } = state
  const { chainId } = source
  if (place.block) {
    const { undone, fork } = await changes.undone(chainId, place.block)
    if (undone.length > 0) return undoneStep(undone, fork, version)
  }
  if (toBlock === null) return { events: [], place, more: false }
  const page = await transfers.page({
    ...{ source, range: { from: null, to: toBlock }, order: 'ASC', after: place.after },
    ...{ limit: mostTransfers, hex: false, items: true },
  })
  const records = readTransfers(page.records)
  const { blocks, isCut } = wholeBlocks(records, page.last !== null)
  const names = blocks.map(([first]) => blockOf(first!))
  if (names.length > 0 && !(await changes.areCurrent(chainId, names)))
    throw new CollectionMovedError('the chain changed while its changes were read')
  const events = blocks.map((own, i): FeedEvent => {
    const block = names[i]!
    const after = placeOf(own.at(-1)!)
    const sent = own.map(({ item: _, ...transfer }) => transfer)
    return { block, version, place: { after, block }, reverted: false, transfers: sent, more: isCut }
  })
  if (page.last !== null) return { events, place: events.at(-1)?.place ?? { ...place, after: page.last }, more: true }
  const last = events.at(-1)?.place ?? place
  // The last block shows later whether blocks were undone; a collection that is not live has none.
  return { events, place: state.block ? endOf(state.block) : last, more: false }
}

function undoneStep(undone: readonly FollowedBlock[], fork: FollowedBlock, version: string | null): FeedStep {
  const below = [...undone.slice(1), fork]
  const events = undone.map((block, i): FeedEvent => ({ block, version, place: endOf(below[i]!), reverted: true }))
  return { events, place: endOf(fork), more: true }
}

/**
 * Groups transfers by block. The last block of a full page may continue, so it is omitted, unless it is the only one.
 */
function wholeBlocks(
  records: readonly TransferRecord[],
  isFull: boolean,
): { blocks: TransferRecord[][]; isCut: boolean } {
  const blocks = [...Map.groupBy(records, ({ block_number }) => block_number).values()]
  if (isFull && blocks.length > 1) blocks.pop()
  return { blocks, isCut: isFull && blocks.length === 1 && records.length === blocks[0]!.length }
}

/** The place after all transfers of a block. */
function endOf(block: FollowedBlock): FeedPlace {
  return { after: endOfBlock(block.number), block }
}

function blockOf({ block_number, block_hash }: TransferRecord): FollowedBlock {
  return { number: BigInt(block_number), hash: block_hash }
}
