import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { Transaction } from '../../db/database.ts'
import type { BlockRange } from '../../sync/blockRange.ts'
import { beginPart, endPart, goLive, readPartsBelow, releaseParts } from '../store/liveCollections.ts'
import type { LogStore } from '../store/storeLogs.ts'
import { beginUndo } from '../store/undoInParts.ts'
import type { CollectionKey, TransferGroup } from '../transfers/transferGroup.ts'

export type NextPart = {
  logStore: LogStore
  collection: CollectionKey
  /** All logs from the end of its history, or of its stored parts, up to the last followed block. */
  logs: readonly RpcLog[]
  /** Where its history may end, if this is its first part. */
  range: BlockRange
  /** The last followed block. */
  head: bigint
  /** Most transfers of a part. */
  most: number
  /** Called with the stored transfers of each block. */
  onStored: (groups: TransferGroup[], block: bigint) => Promise<void>
}

/** The last completely stored block, and the number of transfers of the part. `isLast`: the collection is live now. */
export type PartOutcome = { toBlock: bigint; transfers: number; isLast: boolean }

/**
 * Stores the next part of a collection that catches up with the head. Rows of a partly stored block keep their undo
 * rows until the block is complete, final or not. So the collection can always return to history. undefined: it does
 * not catch up any more.
 */
export async function storeNextPart(tx: Transaction, part: NextPart): Promise<PartOutcome | undefined> {
  const { logStore, collection, range, head, most, onStored } = part
  const started = await beginPart(tx, collection, range)
  if (!started) return undefined
  let { toBlock, ofNext } = started
  let transfers = 0
  const blocks = [...Map.groupBy(part.logs, (entry) => BigInt(entry.blockNumber))]
  for (const [number, logs] of blocks) {
    if (number <= toBlock) continue
    if (transfers >= most) break
    toBlock = number - 1n
    const { stored, isLast } = await logStore.storePart(tx, inOrder(logs), collection, {
      ...{ undo: { chainId: collection.chainId, number }, skip: ofNext, take: most - transfers },
      onStored: (groups) => onStored(groups, number),
    })
    transfers += stored
    ofNext = isLast ? 0 : ofNext + stored
    if (!isLast) break
    toBlock = number
  }
  const isLast = ofNext === 0 && blocks.every(([number]) => number <= toBlock)
  await endPart(tx, collection, { toBlock: isLast ? head : toBlock, ofNext })
  if (isLast) await goLive(tx, collection, range)
  return { toBlock, transfers, isLast }
}

/** Logs of one block in order, which defines the parts. */
function inOrder(logs: readonly RpcLog[]): RpcLog[] {
  return logs.toSorted((a, b) => Number(a.logIndex) - Number(b.logIndex))
}

/**
 * Returns collections that catch up, and are covered to below block `below`, to history. Returns their ids. Those with
 * a part of the next block first undo it: `isUndoing` if there are any.
 */
export async function releaseCatchingUp(
  tx: Transaction,
  chainId: bigint,
  below: bigint,
): Promise<{ released: bigint[]; isUndoing: boolean }> {
  const behind = await readPartsBelow(tx, chainId, below)
  for (const key of behind)
    if (key.ofNext > 0) await beginUndo(tx, key, key.toBlock)
    else await releaseParts(tx, key)
  const released = behind.filter(({ ofNext }) => ofNext === 0).map(({ id }) => id)
  return { released, isUndoing: released.length < behind.length }
}
