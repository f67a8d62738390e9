import type { Sql } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import type { Address } from '../../../util/hex.ts'
import type { CollectionState, CollectionStatistics, TokenStatistics } from '../../query.ts'
import { blockOfPosition } from '../../transfers/position.ts'
import { tokenHash } from '../../transfers/tokenHash.ts'
import { rejectMoved } from '../rows/syncPosition.ts'

const collectionRow = defineRow({
  tokens: column.int8('c.tokens'),
  owners: column.int8(
    'coalesce((SELECT o.owners FROM owner_count o WHERE o.partition = $1 AND o.collection_id = $2), 0)',
  ),
  /** Queued transfers are not in the wallet tables yet. */
  firstPending: column
    .int8('(SELECT min(w.from_position) FROM wallet_due w WHERE w.partition = $1 AND w.collection_id = $2)')
    .orNull(),
  transfers: column.int8('c.transfers'),
  version: column.int8('c.version'),
})

const selectCollection = `SELECT ${collectionRow.columns} FROM collection c WHERE c.partition = $1 AND c.id = $2`

/**
 * Reads the counters of a collection in one snapshot. undefined: the collection was removed. Throws CollectionMovedError if they are of another block
 * than `state`.
 */
export async function readStatistics(sql: Sql, state: CollectionState): Promise<CollectionStatistics | undefined> {
  const [row] = await sql.rows(selectCollection, [state.partition, state.id])
  if (!row) return undefined
  const { firstPending, version, ...counters } = collectionRow.decode(row)
  await rejectMoved(sql, state, version)
  return { ...counters, ownersBehindBlock: firstPending === null ? null : blockOfPosition(firstPending) }
}

const tokenRow = defineRow({
  amount: column.text(`coalesce(t.amount, 0)::text`),
  holders: column.int4('coalesce(t.holders, 0)'),
  transfers: column.int4('coalesce(t.transfers, 0)'),
  version: column.int8('c.version'),
})

const selectToken = `SELECT ${tokenRow.columns}
FROM collection c
LEFT JOIN token t ON t.partition = c.partition AND t.collection_id = c.id AND t.token_hash = $3
WHERE c.partition = $1 AND c.id = $2`

/** Reads the counters of a token, at a cost that does not depend on its transfers. Throws as `readStatistics`. */
export async function readTokenStatistics(
  sql: Sql,
  state: CollectionState,
  { address, tokenId }: { address: Address; tokenId: bigint },
): Promise<TokenStatistics> {
  const [row] = await sql.rows(selectToken, [state.partition, state.id, tokenHash(address, String(tokenId))])
  if (!row) return { amount: '0', holders: 0, transfers: 0 }
  const { version, ...counters } = tokenRow.decode(row)
  await rejectMoved(sql, state, version)
  return counters
}
