import type { Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import type { Address } from '../../util/hex.ts'
import type { CollectionState, CollectionStatistics, TokenStatistics } from '../query.ts'
import { blockOfPosition } from '../transfers/position.ts'
import { tokenHash } from '../transfers/tokenHash.ts'

const collectionRow = defineRow({
  tokens: column.int8('c.tokens'),
  owners: column.int8(
    'coalesce((SELECT o.owners FROM owner_count o WHERE o.partition = $1 AND o.collection_id = $2), 0)',
  ),
  /** What stands in the queue is not in the tables of wallets yet. */
  due: column
    .int8('(SELECT min(w.from_position) FROM wallet_due w WHERE w.partition = $1 AND w.collection_id = $2)')
    .orNull(),
  transfers: column.int8('c.transfers'),
})

const selectCollection = `SELECT ${collectionRow.columns} FROM collection c WHERE c.partition = $1 AND c.id = $2`

/** Reads the counters of a collection, all of one moment. undefined: the collection is gone. */
export async function readStatistics(
  sql: Sql,
  { partition, id }: Pick<CollectionState, 'partition' | 'id'>,
): Promise<CollectionStatistics | undefined> {
  const [row] = await sql.rows(selectCollection, [partition, id])
  if (!row) return undefined
  const { due, ...counters } = collectionRow.decode(row)
  return { ...counters, ownersBehindBlock: due === null ? null : blockOfPosition(due) }
}

const tokenRow = defineRow({
  amount: column.text('t.amount::text'),
  holders: column.int4('t.holders'),
  transfers: column.int4('t.transfers'),
})

const selectToken = `SELECT ${tokenRow.columns} FROM token t WHERE t.partition = $1 AND t.collection_id = $2 AND t.token_hash = $3`

/** Reads the counters of a token, which cost the same however often it moved. */
export async function readTokenStatistics(
  sql: Sql,
  { partition, id }: Pick<CollectionState, 'partition' | 'id'>,
  { address, tokenId }: { address: Address; tokenId: bigint },
): Promise<TokenStatistics> {
  const [row] = await sql.rows(selectToken, [partition, id, tokenHash(address, String(tokenId))])
  return row ? tokenRow.decode(row) : { amount: '0', holders: 0, transfers: 0 }
}
