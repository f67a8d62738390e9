import type { RpcLog } from '../../chain/evm/rpc.ts'
import type { Transaction } from '../../db/database.ts'
import type { Address, Hex } from '../../util/hex.ts'
import type { CollectionKey, TransferGroup } from '../storeTransfers.ts'
import { tokenHash } from '../tokenHash.ts'
import { nobody } from '../transfer.ts'

/** keccak256 of the signatures of events that say that a token's metadata changed. */
export const metadataTopic = {
  /** ERC-4906: `MetadataUpdate(uint256)`. */
  update: '0xf8e1a15aba9398e019f0b49df1a4fde98ee17ae345cb5f6b5e2c27f5033e8ce7',
  /** ERC-4906: `BatchMetadataUpdate(uint256,uint256)`, both ends included. */
  batchUpdate: '0x6bd5c950a8d8df17f772f5af37cb3655737899cbf903264b9795592da439661c',
  /** ERC-1155: `URI(string,uint256)`, the id indexed. */
  uri: '0x6bb7ff708619ba0610cba295a58592e0451dee2622938c8755667688daf3529b',
} as const satisfies Record<string, Hex>

/** More ids than this in one event: the whole collection is looked through, however many such events there are. */
const mostNamed = 100n

/** Tokens of one block that were minted or whose metadata is said to have changed, and collections that changed as a whole. */
export type MetadataChanges = {
  tokens: { collection: CollectionKey; tokenId: string }[]
  collections: CollectionKey[]
}

export function metadataChanges(
  groups: readonly TransferGroup[],
  logs: readonly RpcLog[],
  live: ReadonlyMap<Address, CollectionKey>,
): MetadataChanges {
  const tokens: MetadataChanges['tokens'] = []
  const collections = new Set<CollectionKey>()
  for (const { collection, transfers } of groups)
    for (const t of transfers) if (t.from === nobody) tokens.push({ collection, tokenId: t.tokenId })
  for (const entry of logs) {
    const range = changedIds(entry)
    const collection = range && live.get(entry.address)
    if (!range || !collection) continue
    if (range.to - range.from >= mostNamed) collections.add(collection)
    else for (let id = range.from; id <= range.to; id++) tokens.push({ collection, tokenId: String(id) })
  }
  return { tokens, collections: [...collections] }
}

/** The ids that an event names, both ends included; undefined where it is another event or broken. Indexed or not. */
function changedIds({ topics, data }: RpcLog): { from: bigint; to: bigint } | undefined {
  const [first, indexed] = topics
  const words = [...topics.slice(1), ...(data.slice(2).match(/.{64}/g) ?? []).slice(0, 2).map((word) => `0x${word}`)]
  if (first === metadataTopic.update && words[0]) return { from: BigInt(words[0]), to: BigInt(words[0]) }
  if (first === metadataTopic.uri && indexed) return { from: BigInt(indexed), to: BigInt(indexed) }
  if (first === metadataTopic.batchUpdate && words[0] && words[1])
    return { from: BigInt(words[0]), to: BigInt(words[1]) }
  return undefined
}

/**
 * Makes them due: a token read less than `coolOffMs` ago when that is over, so that a contract that announces changes in
 * every block costs no more than others. A token that does not exist is left out when its turn comes.
 */
export async function markChanged(
  tx: Transaction,
  { tokens, collections }: MetadataChanges,
  coolOffMs: number,
): Promise<void> {
  if (tokens.length > 0) {
    await tx.run(
      `INSERT INTO metadata_due AS d (partition, collection_id, token_hash, token_id, due_at)
       SELECT DISTINCT ON (v.partition, v.id, v.hash) v.partition, v.id, v.hash, v.token,
         date_trunc('milliseconds', greatest(now(), m.tried_at + make_interval(secs => $5::float8 / 1000)))
       FROM unnest($1::smallint[], $2::bigint[], $3::uuid[], $4::numeric[]) AS v (partition, id, hash, token)
         LEFT JOIN token_metadata m ON m.partition = v.partition AND m.collection_id = v.id AND m.token_hash = v.hash
       ON CONFLICT (partition, collection_id, token_hash) DO UPDATE SET due_at = excluded.due_at, attempts = 0`,
      [
        tokens.map((t) => t.collection.partition),
        tokens.map((t) => t.collection.id),
        tokens.map((t) => tokenHash(t.collection.address, t.tokenId)),
        tokens.map((t) => t.tokenId),
        coolOffMs,
      ],
    )
    await tx.run(
      `UPDATE collection c SET metadata_due_at = least(metadata_due_at, date_trunc('milliseconds', now()))
       FROM (SELECT DISTINCT * FROM unnest($1::smallint[], $2::bigint[]) AS v (partition, id)) v
       WHERE c.partition = v.partition AND c.id = v.id`,
      [tokens.map((t) => t.collection.partition), tokens.map((t) => t.collection.id)],
    )
  }
  for (const { partition, id } of collections)
    await tx.run(
      'UPDATE collection SET metadata_unswept = true, metadata_refresh_at = now() WHERE partition = $1 AND id = $2',
      [partition, id],
    )
}
