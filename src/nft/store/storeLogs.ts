import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { Transaction } from '../../db/database.ts'
import type { Address } from '../../util/hex.ts'
import { decodeTransfers, type SkippedTransfers, surveyLogs } from '../transfers/decodeTransfers.ts'
import { isErc1155 } from '../transfers/transfer.ts'
import { type CollectionKey, chunkSize, type TransferGroup, transferGroup } from '../transfers/transferGroup.ts'
import { raiseVersions } from './collectionStore.ts'
import { readHoldings, readMostHoldings, storeOmissions } from './skippedTransfers.ts'
import { storeBounded } from './storeBounded.ts'
import { storeTransfers, type UndoBlock } from './storeTransfers.ts'

export type LogStoreOptions = {
  chainId: bigint
  maxTokens: number
  onSkipped: (collection: CollectionKey, skipped: SkippedTransfers[]) => void
}

/** Stores logs of followed collections. */
export type LogStore = {
  /**
   * Stores the logs of some collections, in chain order, and returns the number of transfers. With `undo`, all logs are of that block, which can
   * still be undone. `onStored` is called in the same transaction with stored transfers, at most about 50,000 at a time.
   */
  store(
    tx: Transaction,
    logs: readonly RpcLog[],
    collections: ReadonlyMap<Address, CollectionKey>,
    options: { undo?: UndoBlock | undefined; onStored?: (groups: TransferGroup[]) => Promise<void> },
  ): Promise<number>
  /**
   * Stores at most `take` transfers of one collection in one block, after the first `skip`. Returns their number, and whether they complete the
   * block. If the token limit may not allow the whole block, all its transfers are stored at once.
   */
  storePart(
    tx: Transaction,
    logs: readonly RpcLog[],
    collection: CollectionKey,
    options: {
      undo: UndoBlock
      skip: number
      take: number
      onStored: (groups: TransferGroup[]) => Promise<void>
    },
  ): Promise<{ stored: number; isLast: boolean }>
  /** Must be called if other code may have stored logs of the collections: resets the remaining transfers. */
  forget(): void
}

export function createLogStore({ chainId, maxTokens, onSkipped }: LogStoreOptions): LogStore {
  /**
   * Remaining transfers of each collection within its token limit, by id. A lower bound, as a failed transaction does not restore it. Read when a
   * collection is first used, and counted when it seems used up.
   */
  const capacities = new Map<bigint, number>()

  async function hasCapacity(tx: Transaction, collection: CollectionKey, transfers: number): Promise<boolean> {
    let capacity = capacities.get(collection.id) ?? 0
    for (const read of [readMostHoldings, readHoldings]) {
      if (transfers <= capacity) break
      const { rows, rangeMoves } = await read(tx, collection)
      capacity = maxTokens - Math.max(rows, rangeMoves)
    }
    const enough = transfers <= capacity
    capacities.set(collection.id, enough ? capacity - transfers : capacity)
    return enough
  }

  const store: LogStore['store'] = async (tx, logs, collections, { undo, onStored }) => {
    let stored = 0
    let groups: TransferGroup[] = []
    let waiting = 0
    const bounds: {
      collection: CollectionKey
      skipped: SkippedTransfers[]
      rangeMoves: number
      rows?: number
      unindexed: boolean
    }[] = []

    async function flush(): Promise<void> {
      if (groups.length === 0) return
      await raiseVersions(tx, await storeTransfers(tx, groups, undo))
      await onStored?.(groups)
      stored += waiting
      groups = []
      waiting = 0
    }

    for (const [collection, own] of byCollection(logs, collections)) {
      const { transfers, rangeMoves, oversized, unindexed } = surveyLogs(own, collection)
      if (transfers <= chunkSize && (transfers === 0 || (await hasCapacity(tx, collection, transfers)))) {
        if (waiting + transfers > chunkSize) await flush()
        if (transfers > 0) groups.push(transferGroup(collection, [...decodeTransfers(own, collection)]))
        waiting += transfers
        bounds.push({ collection, skipped: oversized, rangeMoves, unindexed })
        continue
      }
      const outcome = await storeBounded(tx, collection, own, {
        maxTokens,
        undo,
        onStored: async (group) => onStored?.([group]),
      })
      capacities.delete(collection.id)
      const { listed, transfers: kept, rows } = outcome
      stored += Number(kept)
      await raiseVersions(tx, [{ ...collection, listed, transfers: kept }])
      const { rangeMoves: moves } = outcome
      bounds.push({ collection, skipped: [...oversized, ...outcome.skipped], rangeMoves: moves, rows, unindexed })
    }
    await flush()
    for (const { collection, ...found } of bounds) {
      await storeOmissions(tx, chainId, collection, found)
      if (found.skipped.length > 0) onSkipped(collection, found.skipped)
    }
    return stored
  }

  const storePart: LogStore['storePart'] = async (tx, logs, collection, { undo, skip, take, onStored }) => {
    const { transfers: all, oversized, unindexed } = surveyLogs(logs, collection)
    const remaining = all - skip
    if (skip === 0 && !(await hasCapacity(tx, collection, remaining))) {
      capacities.delete(collection.id)
      const stored = await store(tx, logs, new Map([[collection.address, collection]]), { undo, onStored })
      return { stored, isLast: true }
    }
    const transfers = [...decodeTransfers(logs, collection).drop(skip).take(take)]
    if (transfers.length > 0) {
      const group = transferGroup(collection, transfers)
      await raiseVersions(tx, await storeTransfers(tx, [group], undo))
      await onStored([group])
    }
    const isLast = transfers.length === remaining
    // As in `surveyLogs`: tokens of ConsecutiveTransfers beyond the first of each.
    const rangeMoves = transfers.filter((transfer) => transfer.item > 0 && !isErc1155(transfer)).length
    const skipped = isLast ? oversized : []
    await storeOmissions(tx, chainId, collection, { skipped, rangeMoves, unindexed })
    if (skipped.length > 0) onSkipped(collection, skipped)
    return { stored: transfers.length, isLast }
  }

  return { forget: () => capacities.clear(), store, storePart }
}

function byCollection(
  logs: readonly RpcLog[],
  collections: ReadonlyMap<Address, CollectionKey>,
): Map<CollectionKey, RpcLog[]> {
  const found = new Map<CollectionKey, RpcLog[]>()
  for (const entry of logs) {
    const collection = collections.get(entry.address)
    if (!collection) continue
    const own = found.get(collection)
    if (own) own.push(entry)
    else found.set(collection, [entry])
  }
  return found
}
