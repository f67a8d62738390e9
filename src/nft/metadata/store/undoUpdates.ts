import type { Transaction } from '../../../db/database.ts'
import { defineLists, list } from '../../../db/defineLists.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { sameToken } from '../../transfers/tokenHash.ts'
import type { CollectionKey } from '../../transfers/transferGroup.ts'
import { type IdSet, noIds } from './changedIds.ts'
import { announceContracts } from './contractStore.ts'
import { keysOf, type MetadataChanges, queueChanged } from './markChanged.ts'
import { markStale } from './sweep.ts'
import { type TokenKey, tokenColumns, tokenLists } from './tokenKey.ts'

const namedLists = defineLists<TokenKey & { again: boolean }>({ ...tokenColumns, again: list.bool((t) => t.again) })

const addTokens = `ON CONFLICT (partition, collection_id, block_number) DO UPDATE
  SET tokens = o.tokens || excluded.tokens`

/**
 * Records changed tokens, and received ones that existed before the block: an ERC-721 token that is minted again after a burn is a new token.
 * Statistics do not cover rows of the newest block, and a join or another index would read all of them for each token. So each is requested in the
 * order that only the key's index has.
 */
const recordTokens = `
INSERT INTO metadata_undo AS o (partition, collection_id, chain_id, block_number, tokens)
SELECT n.partition, n.collection_id, $1, $2, array_agg(DISTINCT n.token_hash)
FROM (
  SELECT t.partition, t.collection_id, t.token_hash, v.again, (
      SELECT u.last_position FROM (
        SELECT u.token_hash, u.last_position FROM token_undo u
        WHERE u.partition = t.partition AND u.collection_id = t.collection_id AND u.block_number = $2
          AND u.token_hash >= t.token_hash AND u.token_hash <= t.token_hash
        ORDER BY u.token_hash LIMIT 1
      ) u WHERE u.token_hash = t.token_hash
    ) AS last_position
  FROM ${namedLists.unnest(3)} JOIN token t ON ${sameToken('t', 'v')} AND t.amount > 0
) n
WHERE NOT n.again OR n.last_position IS NOT NULL
GROUP BY n.partition, n.collection_id
${addTokens}`

/** Records changed tokens that may not be stored yet. */
const recordLate = `
INSERT INTO metadata_undo AS o (partition, collection_id, chain_id, block_number, tokens)
SELECT v.partition, v.collection_id, $1, $2, array_agg(DISTINCT v.token_hash) FROM ${tokenLists.unnest(3)}
GROUP BY v.partition, v.collection_id
${addTokens}`

const recordIds = `
INSERT INTO metadata_undo AS o (partition, collection_id, chain_id, block_number, ids) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (partition, collection_id, block_number) DO UPDATE SET ids = o.ids + excluded.ids`

/**
 * Records metadata changes of a block that can still be undone, as `withUnknown` returns them. Of a collection that is not whole, changed tokens are
 * recorded whether they are stored yet or not.
 */
export async function recordUpdates(
  tx: Transaction,
  { received, changed, ranges, contracts }: MetadataChanges,
  block: { chainId: bigint; number: bigint; isWhole: (collection: CollectionKey) => boolean },
): Promise<void> {
  const again = received.filter((token) => token.again)
  const whole = changed.filter(({ collection }) => block.isWhole(collection))
  const named = keysOf([...whole, ...again]).map((key, i) => ({ ...key, again: i >= whole.length }))
  if (named.length > 0) await tx.fresh.run(recordTokens, [block.chainId, block.number, ...namedLists.lists(named)])
  const late = keysOf(changed.filter(({ collection }) => !block.isWhole(collection)))
  if (late.length > 0) await tx.fresh.run(recordLate, [block.chainId, block.number, ...tokenLists.lists(late)])
  for (const { collection, ids } of ranges)
    await tx.run(recordIds, [collection.partition, collection.id, block.chainId, block.number, ids])
  for (const { partition, id } of contracts)
    await tx.run(recordIds, [partition, id, block.chainId, block.number, noIds])
}

const undoneRow = defineRow({
  partition: column.int2('partition'),
  id: column.int8('collection_id'),
  tokens: column.textArray('tokens'),
  ids: column.text<IdSet>('ids'),
})

/**
 * Reads tokens with metadata changes in undone blocks again, as after an announcement, and the metadata of their contracts. A contract may be first
 * requested after its announcement, so each block has its own record. Must be called after the transfers of these blocks are undone.
 */
export async function revertUpdates(tx: Transaction, chainId: bigint, fork: bigint, coolOffMs: number): Promise<void> {
  const rows = await tx.rows(
    `DELETE FROM metadata_undo WHERE chain_id = $1 AND block_number > $2 RETURNING ${undoneRow.columns}`,
    [chainId, fork],
  )
  const deleted = rows.map(undoneRow.decode)
  const named = deleted.flatMap(({ partition, id, tokens }) => tokens.map((hash) => ({ partition, id, hash })))
  await queueChanged(tx, { received: [], changed: named }, coolOffMs)
  for (const { partition, id, ids } of deleted) if (ids !== noIds) await markStale(tx, { partition, id }, ids)
  await announceContracts(tx, deleted, coolOffMs)
}

/** Deletes the records of final blocks: up to `number`, or all. */
export async function forgetUpdates(tx: Transaction, chainId: bigint, number?: bigint): Promise<void> {
  if (number === undefined) await tx.run('DELETE FROM metadata_undo WHERE chain_id = $1', [chainId])
  else await tx.run('DELETE FROM metadata_undo WHERE chain_id = $1 AND block_number <= $2', [chainId, number])
}

/** Deletes the records of collections that are being removed, as a reorg would read their tokens again. */
export async function forgetRemovedUpdates(tx: Transaction): Promise<void> {
  await tx.run(
    'DELETE FROM metadata_undo u USING collection_removal r WHERE u.partition = r.partition AND u.collection_id = r.id',
  )
}
