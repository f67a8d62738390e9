import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { Transaction } from '../../db/database.ts'
import { chunksOf } from '../../util/chunksOf.ts'
import { decodeTransfers, type LeftOut } from '../transfers/decodeTransfers.ts'
import { positionOf } from '../transfers/position.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import { isErc1155, type Transfer } from '../transfers/transfer.ts'
import { type CollectionKey, chunkSize, type TransferGroup, transferGroup } from '../transfers/transferGroup.ts'
import { readHoldings } from './leftOut.ts'
import { storeTransfers, type UndoBlock } from './storeTransfers.ts'

export type BoundedOptions = {
  maxTokens: number
  undo?: UndoBlock | undefined
  /** Called with what was stored, a chunk at a time. */
  onStored?: (group: TransferGroup) => Promise<void>
}

/** What was stored and omitted: the caller shows `raiseVersions` and then `recordBounds`. */
export type BoundedOutcome = {
  listed: bigint
  transfers: bigint
  leftOut: LeftOut[]
  rangeMoves: number
  rows: number
}

/**
 * Stores the transfers of logs of a collection that may reach its bound, in their order and chunk by chunk, so that memory stays
 * flat. Once the collection has `maxTokens` tokens, a further token is omitted with all of its transfers; transfers of tokens that it has
 * are still stored. A ConsecutiveTransfer is omitted whole where all of them would have moved more than `maxTokens` tokens
 * beyond the first of each. The caller's transaction holds the collection's lock. Each token costs one look-up more than in
 * `storeTransfers`.
 */
export async function storeBounded(
  tx: Transaction,
  collection: CollectionKey,
  logs: readonly RpcLog[],
  { maxTokens, undo, onStored }: BoundedOptions,
): Promise<BoundedOutcome> {
  const before = await readHoldings(tx, collection)
  const holdings = { ...before }
  const leftOut = new Map<number, LeftOut>()
  const outcome = { listed: 0n, transfers: 0n }

  function leave(position: number, transactionHash: string, transfers: number, rangeMoves: number): void {
    const entry = leftOut.get(position) ?? {
      position,
      reason: 'surplus',
      transfers: 0n,
      rangeMoves: 0,
      transactionHash,
    }
    entry.transfers += BigInt(transfers)
    entry.rangeMoves += rangeMoves
    leftOut.set(position, entry)
  }

  function takesRange(log: RpcLog, tokens: number): boolean {
    const moves = holdings.rangeMoves + tokens - 1
    if (moves <= maxTokens) {
      holdings.rangeMoves = moves
      return true
    }
    leave(positionOf(Number(log.blockNumber), Number(log.logIndex)), log.transactionHash.slice(2), tokens, 0)
    return false
  }

  /** The transfers of tokens that the collection has, or has space for. */
  async function admit(transfers: readonly Transfer[]): Promise<Transfer[]> {
    const held = await heldOf(tx, collection, new Set(transfers.map(({ tokenId }) => tokenId)))
    return transfers.filter((transfer) => {
      const { tokenId, position, item, transactionHash } = transfer
      if (held.has(tokenId)) return true
      if (holdings.rows >= maxTokens) {
        leave(position, transactionHash, 1, item > 0 && !isErc1155(transfer) ? 1 : 0)
        return false
      }
      holdings.rows++
      held.add(tokenId)
      return true
    })
  }

  for (const chunk of chunksOf(decodeTransfers(logs, collection, takesRange), chunkSize)) {
    const admitted = await admit(chunk)
    if (admitted.length === 0) continue
    const group = transferGroup(collection, admitted)
    for (const { listed, transfers } of await storeTransfers(tx, [group], undo)) {
      outcome.listed += listed
      outcome.transfers += transfers
    }
    await onStored?.(group)
  }
  const rangeMoves = holdings.rangeMoves - before.rangeMoves
  return { ...outcome, leftOut: [...leftOut.values()], rangeMoves, rows: holdings.rows }
}

/** Those of the ids that have a row in the collection. */
async function heldOf(tx: Transaction, key: CollectionKey, ids: ReadonlySet<string>): Promise<Set<string>> {
  const byHash = new Map([...ids].map((id) => [tokenHash(key.address, id), id]))
  const rows = await tx.fresh.rows<[string]>(
    `SELECT v.id FROM unnest($3::uuid[], $4::text[]) AS v (hash, id) JOIN LATERAL (
       SELECT 1 FROM token t WHERE t.partition = $1 AND t.collection_id = $2 AND t.token_hash = v.hash LIMIT 1
     ) t ON true`,
    [key.partition, key.id, [...byHash.keys()], [...byHash.values()]],
  )
  return new Set(rows.map(([id]) => id))
}
