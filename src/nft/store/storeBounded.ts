import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { Transaction } from '../../db/database.ts'
import { chunksOf } from '../../util/chunksOf.ts'
import { decodeTransfers, type SkippedTransfers } from '../transfers/decodeTransfers.ts'
import { positionOf } from '../transfers/position.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import { isErc1155, type Transfer } from '../transfers/transfer.ts'
import { type CollectionKey, chunkSize, type TransferGroup, transferGroup } from '../transfers/transferGroup.ts'
import { readHoldings } from './skippedTransfers.ts'
import { storeTransfers, type UndoBlock } from './storeTransfers.ts'

export type BoundedOptions = {
  maxTokens: number
  undo?: UndoBlock | undefined
  /** Called with stored transfers, a chunk at a time. */
  onStored?: (group: TransferGroup) => Promise<void>
}

/** Stored and omitted transfers: the caller passes them to `raiseVersions`, then to `storeOmissions`. */
export type BoundedOutcome = {
  listed: bigint
  transfers: bigint
  skipped: SkippedTransfers[]
  rangeMoves: number
  rows: number
}

/**
 * Stores the transfers of a collection's logs that may reach its token limit, in order and by chunks, to limit memory. Once the collection has
 * `maxTokens` tokens, further tokens are omitted with all their transfers; transfers of existing tokens are still stored. A whole ConsecutiveTransfer
 * is omitted if all of them would exceed `maxTokens` tokens beyond the first of each. The caller's transaction holds the collection's lock. Each
 * token costs one lookup more than in `storeTransfers`.
 */
export async function storeBounded(
  tx: Transaction,
  collection: CollectionKey,
  logs: readonly RpcLog[],
  { maxTokens, undo, onStored }: BoundedOptions,
): Promise<BoundedOutcome> {
  const before = await readHoldings(tx, collection)
  const holdings = { ...before }
  const skipped = new Map<number, SkippedTransfers>()
  const outcome = { listed: 0n, transfers: 0n }

  function skip(position: number, transactionHash: string, transfers: number, rangeMoves: number): void {
    const entry = skipped.get(position) ?? {
      position,
      reason: 'surplus',
      transfers: 0n,
      rangeMoves: 0,
      transactionHash,
    }
    entry.transfers += BigInt(transfers)
    entry.rangeMoves += rangeMoves
    skipped.set(position, entry)
  }

  function takesRange(log: RpcLog, tokens: number): boolean {
    const moves = holdings.rangeMoves + tokens - 1
    if (moves <= maxTokens) {
      holdings.rangeMoves = moves
      return true
    }
    skip(positionOf(Number(log.blockNumber), Number(log.logIndex)), log.transactionHash.slice(2), tokens, 0)
    return false
  }

  /** Transfers of existing tokens, and of new ones within the limit. */
  async function admit(transfers: readonly Transfer[]): Promise<Transfer[]> {
    const held = await heldOf(tx, collection, new Set(transfers.map(({ tokenId }) => tokenId)))
    return transfers.filter((transfer) => {
      const { tokenId, position, item, transactionHash } = transfer
      if (held.has(tokenId)) return true
      if (holdings.rows >= maxTokens) {
        skip(position, transactionHash, 1, item > 0 && !isErc1155(transfer) ? 1 : 0)
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
  return { ...outcome, skipped: [...skipped.values()], rangeMoves, rows: holdings.rows }
}

/** Ids with a row in the collection. */
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
