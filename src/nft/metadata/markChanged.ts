import type { RpcLog } from '../../chain/evm/rpc.ts'
import { tokenTopic } from '../../chain/evm/tokenEvents.ts'
import type { Transaction } from '../../db/database.ts'
import type { Address } from '../../util/hex.ts'
import type { CollectionKey, TransferGroup } from '../storeTransfers.ts'
import { tokenHash } from '../tokenHash.ts'
import { nobody } from '../transfer.ts'
import { announcedPause, parkedPause } from './announcedPause.ts'
import { metadataDemandChannel } from './createMetadataDemand.ts'
import { forgetTokens, type TokenKeys } from './forgetTokens.ts'

/** Events that say that a token's metadata changed. */
export const metadataTopics = [tokenTopic.metadataUpdate, tokenTopic.batchMetadataUpdate, tokenTopic.uri]

/** More ids than this in one event: the whole collection is looked through, however many such events there are. */
const mostNamed = 100n

/** More ids than this named by one collection's events in one block: the same. */
const mostNamedInBlock = 1_000

type ChangedToken = { collection: CollectionKey; tokenId: string }

/** What one block did to metadata. */
export type MetadataChanges = {
  /** Came into existence, or more of them did. */
  minted: ChangedToken[]
  /** Said to have changed, or burned and minted again. */
  changed: ChangedToken[]
  /** Sent to nobody. */
  burned: ChangedToken[]
  /** Changed as a whole. */
  collections: CollectionKey[]
}

export function metadataChanges(
  groups: readonly TransferGroup[],
  logs: readonly RpcLog[],
  live: ReadonlyMap<Address, CollectionKey>,
): MetadataChanges {
  const minted: ChangedToken[] = []
  const changed: ChangedToken[] = []
  const burned: ChangedToken[] = []
  for (const { collection, transfers } of groups) {
    const mintedIds = new Set<string>()
    const burnedIds = new Set<string>()
    for (const { from, to, tokenId } of transfers) {
      if (from === nobody) mintedIds.add(tokenId)
      if (to === nobody) burnedIds.add(tokenId)
    }
    for (const tokenId of burnedIds) burned.push({ collection, tokenId })
    // One of many copies that goes and comes says nothing of an ERC-1155 id; an ERC-721 token that does is another one.
    const isRemade = (tokenId: string) => collection.standard === 'ERC721' && burnedIds.has(tokenId)
    for (const tokenId of mintedIds) (isRemade(tokenId) ? changed : minted).push({ collection, tokenId })
  }
  const named = new Map<CollectionKey, Set<bigint>>()
  const whole = new Set<CollectionKey>()
  for (const entry of logs) {
    const range = changedIds(entry)
    const collection = range && live.get(entry.address)
    if (!range || !collection || whole.has(collection)) continue
    const ids = named.get(collection) ?? new Set()
    named.set(collection, ids)
    if (range.to - range.from >= mostNamed || ids.size >= mostNamedInBlock) whole.add(collection)
    else for (let id = range.from; id <= range.to; id++) ids.add(id)
  }
  for (const [collection, ids] of named)
    if (!whole.has(collection)) for (const id of ids) changed.push({ collection, tokenId: String(id) })
  return { minted, changed, burned, collections: [...whole] }
}

/** The ids that an event names, both ends included; undefined where it is another event or broken. Indexed or not. */
function changedIds({ topics, data }: RpcLog): { from: bigint; to: bigint } | undefined {
  const [first, indexed] = topics
  const words = [...topics.slice(1), ...(data.slice(2).match(/.{64}/g) ?? []).slice(0, 2).map((word) => `0x${word}`)]
  if (first === tokenTopic.metadataUpdate && words[0]) return { from: BigInt(words[0]), to: BigInt(words[0]) }
  if (first === tokenTopic.uri && indexed) return { from: BigInt(indexed), to: BigInt(indexed) }
  if (first === tokenTopic.batchMetadataUpdate && words[0] && words[1])
    return { from: BigInt(words[0]), to: BigInt(words[1]) }
  return undefined
}

/**
 * Makes due what changed, and what was minted where nothing is known of it: a further mint of an ERC-1155 id says nothing of its
 * document. A token read less than `coolOffMs` ago is due when that is over, or later where it came back as it was
 * (announcedPause.ts), so that a contract that announces changes in every block costs no more than others. Events that name
 * tokens which do not exist make nothing due. What was burned is
 * forgotten. After the transfers of the block are stored.
 */
export async function markChanged(
  tx: Transaction,
  { minted, changed, burned, collections }: MetadataChanges,
  coolOffMs: number,
): Promise<void> {
  await makeTokensDue(tx, { minted: keysOf(minted), changed: keysOf(changed) }, coolOffMs)
  await forgetTokens(tx, keysOf(burned))
  await makeUnswept(tx, collections)
}

/** The same for tokens by their keys. */
export async function makeTokensDue(
  tx: Transaction,
  { minted, changed }: { minted: TokenKeys; changed: TokenKeys },
  coolOffMs: number,
): Promise<void> {
  const partitions = [...minted.partitions, ...changed.partitions]
  const collections = [...minted.collections, ...changed.collections]
  if (partitions.length === 0) return
  // Before the tokens: whoever changes metadata rows of a collection locks it first.
  await tx.rows(lockCollections, [partitions, collections])
  let due = 0
  if (minted.hashes.length > 0)
    due += await tx.run(makeUnknownDue, [minted.partitions, minted.collections, minted.hashes])
  if (changed.hashes.length > 0)
    due += await tx.run(makeChangedDue, [changed.partitions, changed.collections, changed.hashes, coolOffMs])
  if (due === 0) return
  await tx.run(makeCollectionsDue, [partitions, collections])
  await tx.rows('SELECT pg_notify($1, $2)', [metadataDemandChannel, ''])
}

/** Every token of these collections is to be looked at again. */
export async function makeUnswept(
  tx: Transaction,
  collections: readonly { partition: number; id: bigint }[],
): Promise<void> {
  for (const { partition, id } of collections)
    await tx.run(
      'UPDATE collection SET metadata_unswept = true, metadata_refresh_at = now() WHERE partition = $1 AND id = $2',
      [partition, id],
    )
}

export function keysOf(tokens: readonly ChangedToken[]): TokenKeys {
  return {
    partitions: tokens.map((t) => t.collection.partition),
    collections: tokens.map((t) => t.collection.id),
    hashes: tokens.map((t) => tokenHash(t.collection.address, t.tokenId)),
  }
}

const lockCollections = `
SELECT 1 FROM collection c JOIN (SELECT DISTINCT * FROM unnest($1::smallint[], $2::bigint[]) AS v (partition, id)) v
  USING (partition, id) ORDER BY partition, id FOR UPDATE OF c`

/** What was read, failed or waits already is left as it is. */
const makeUnknownDue = `
INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at)
SELECT DISTINCT v.partition, v.id, v.hash, t.token_id, date_trunc('milliseconds', now())
FROM unnest($1::smallint[], $2::bigint[], $3::uuid[]) AS v (partition, id, hash)
  JOIN token t ON t.partition = v.partition AND t.collection_id = v.id AND t.token_hash = v.hash AND t.amount > 0
WHERE NOT EXISTS (SELECT FROM token_metadata m
  WHERE m.partition = v.partition AND m.collection_id = v.id AND m.token_hash = v.hash)
ON CONFLICT DO NOTHING`

/**
 * A failure's pause ends, and what is due sooner, as a client asked for it, stays so. What is due already may be under way: that
 * it was announced again is noted for whoever settles it. A row that says all that is not written.
 */
const makeChangedDue = `
INSERT INTO metadata_due AS d (partition, collection_id, token_hash, token_id, due_at)
SELECT DISTINCT ON (v.partition, v.id, v.hash) v.partition, v.id, v.hash, t.token_id,
  date_trunc('milliseconds', greatest(now(), m.tried_at + ${announcedPause('$4', 'm.unchanged')}))
FROM unnest($1::smallint[], $2::bigint[], $3::uuid[]) AS v (partition, id, hash)
  JOIN token t ON t.partition = v.partition AND t.collection_id = v.id AND t.token_hash = v.hash AND t.amount > 0
  LEFT JOIN token_metadata m ON m.partition = v.partition AND m.collection_id = v.id AND m.token_hash = v.hash
ON CONFLICT (partition, collection_id, token_hash) DO UPDATE SET
  due_at = least(d.due_at, greatest(excluded.due_at, d.parked_at + ${parkedPause})), attempts = 0, announced_at = now()
WHERE d.due_at <= now() OR d.due_at > greatest(excluded.due_at, d.parked_at + ${parkedPause})`

const makeCollectionsDue = `
UPDATE collection c SET metadata_due_at = least(metadata_due_at, date_trunc('milliseconds', now()))
FROM (SELECT DISTINCT * FROM unnest($1::smallint[], $2::bigint[]) AS v (partition, id)) v
WHERE c.partition = v.partition AND c.id = v.id`
