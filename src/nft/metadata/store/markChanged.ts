import type { RpcLog } from '../../../chain/evm/rpc/rpc.ts'
import type { Transaction } from '../../../db/database.ts'
import type { RowKey } from '../../../db/rowKeys.ts'
import type { Address } from '../../../util/hex.ts'
import { lockCollections } from '../../collection/lock.ts'
import { tokenHash } from '../../transfers/tokenHash.ts'
import type { CollectionKey, TransferGroup } from '../../transfers/transferGroup.ts'
import { addChangedIds, type ChangedIds, type IdSet, idSet, readChangedIds } from './changedIds.ts'
import { announceContracts, announcedContracts } from './contractStore.ts'
import { metadataDemandChannel } from './createMetadataDemand.ts'
import { forgetTokens } from './forgetTokens.ts'
import { announceTokens } from './queueNamed.ts'
import { queueUnknown, selectUnknown } from './queueUnknown.ts'
import { markStale } from './sweep.ts'
import { type TokenKey, tokenLists } from './tokenKey.ts'

/** `again`: by an ERC-721 event. If it was burned before, it is a new token now. */
type ChangedToken = { collection: CollectionKey; tokenId: string; again?: boolean }

/** Tokens whose metadata one block may have changed. */
export type MetadataChanges = {
  /** Tokens that an address received. The first transfer of a token need not be from the zero address. */
  received: ChangedToken[]
  /** Announced tokens, and ERC-721 tokens that the block both burned and transferred to an address. */
  changed: ChangedToken[]
  /** Tokens sent to the zero address. */
  burned: ChangedToken[]
  /** Announced ids, if a collection has too many to look up individually. */
  ranges: { collection: CollectionKey; ids: IdSet }[]
  /** Contracts that announce changes of their own metadata. */
  contracts: CollectionKey[]
}

export function metadataChanges(
  groups: readonly TransferGroup[],
  logs: readonly RpcLog[],
  live: ReadonlyMap<Address, CollectionKey>,
): MetadataChanges {
  const received: ChangedToken[] = []
  const changed: ChangedToken[] = []
  const burned: ChangedToken[] = []
  for (const { collection, moved } of groups) {
    for (const tokenId of moved.burned) burned.push({ collection, tokenId })
    // An ERC-721 token that is burned and still listed was minted again: it is a new token. Of an ERC-1155 id, only some copies are burned.
    const isRemade = (tokenId: string) => moved.received721.has(tokenId) && moved.burned721.has(tokenId)
    for (const tokenId of moved.received)
      if (isRemade(tokenId)) changed.push({ collection, tokenId })
      else received.push({ collection, tokenId, again: moved.received721.has(tokenId) })
  }
  const announced = new Map<CollectionKey, ChangedIds>()
  for (const entry of logs) {
    const range = readChangedIds(entry)
    const collection = range && live.get(entry.address)
    if (!range || !collection) continue
    const ids = announced.get(collection) ?? { named: new Set(), ranges: [] }
    announced.set(collection, ids)
    addChangedIds(ids, range)
  }
  const ranges: MetadataChanges['ranges'] = []
  for (const [collection, ids] of announced) {
    for (const id of ids.named) changed.push({ collection, tokenId: String(id) })
    if (ids.ranges.length > 0) ranges.push({ collection, ids: idSet(ids.ranges) })
  }
  return { received, changed, burned, ranges, contracts: announcedContracts(logs, live) }
}

/**
 * The changes with only those received tokens of which nothing is known: new ones, and listed ones whose metadata a burn removed. Most blocks have none,
 * so this locks nothing. Must be called after the block's transfers are stored.
 */
export async function withUnknown(tx: Transaction, changes: MetadataChanges): Promise<MetadataChanges> {
  if (changes.received.length === 0) return changes
  const keys = keysOf(changes.received)
  const rows = await tx.fresh.rows<[string]>(selectUnknownTokens, tokenLists.lists(keys))
  const unknown = new Set(rows.map(([hash]) => hash))
  return { ...changes, received: changes.received.filter((_, i) => unknown.has(keys[i]!.hash)) }
}

/**
 * Makes changed tokens of a block due, and received tokens without metadata. A further mint of an ERC-1155 id does not affect its metadata. A changed
 * token that was read less than `coolOffMs` ago is due after that pause, which is longer after unchanged reads (schedule.ts). So a contract that announces
 * changes in every block costs no more than others. Unknown tokens are omitted, burned ones are removed. Must be called after the block's transfers
 * are stored.
 */
export async function markChanged(
  tx: Transaction,
  { received, changed, burned, ranges, contracts }: MetadataChanges,
  coolOffMs: number,
): Promise<void> {
  await queueChanged(tx, { received: keysOf(received), changed: keysOf(changed) }, coolOffMs)
  await forgetTokens(tx, keysOf(burned))
  for (const { collection, ids } of ranges) await markStale(tx, collection, ids)
  await announceContracts(tx, contracts, coolOffMs)
}

/**
 * The same for a range of history of a collection that was live before: the next sweep makes the changed tokens due. `burned`: ids of burned ERC-721
 * tokens, which may have been minted again since.
 */
export async function markPastChanges(
  tx: Transaction,
  collection: RowKey & { address: Address },
  { logs, burned }: { logs: readonly RpcLog[]; burned: Iterable<string> },
  coolOffMs: number,
): Promise<void> {
  const ranges = logs.flatMap((entry) => readChangedIds(entry) ?? [])
  for (const id of burned) ranges.push({ from: BigInt(id), to: BigInt(id) })
  if (ranges.length > 0) await markStale(tx, collection, idSet(ranges))
  const announced = announcedContracts(logs, new Map([[collection.address, collection]]))
  await announceContracts(tx, announced, coolOffMs)
}

/** Makes received and changed tokens due, as `markChanged` does, by their keys. */
export async function queueChanged(
  tx: Transaction,
  { received, changed }: { received: readonly TokenKey[]; changed: readonly TokenKey[] },
  coolOffMs: number,
): Promise<void> {
  if (received.length + changed.length === 0) return
  await lockCollections(tx, [...received, ...changed])
  let queued = 0
  if (received.length > 0) queued += await tx.run(queueUnknownTokens, tokenLists.lists(received))
  if (changed.length > 0) queued += await announceTokens(tx, changed, coolOffMs)
  if (queued > 0) await tx.rows('SELECT pg_notify($1, $2)', [metadataDemandChannel, ''])
}

/** Keys of tokens, in the same order. */
export function keysOf(tokens: readonly ChangedToken[]): TokenKey[] {
  return tokens.map(({ collection, tokenId }) => ({
    partition: collection.partition,
    id: collection.id,
    hash: tokenHash(collection.address, tokenId),
  }))
}

const queueUnknownTokens = queueUnknown(tokenLists.unnest())
const selectUnknownTokens = selectUnknown(tokenLists.unnest())
