import type { Database, Sql } from '../../../db/database.ts'
import { defineLists, list } from '../../../db/defineLists.ts'
import { column, defineRow, type RowOf } from '../../../db/defineRow.ts'
import { onlyPartition, type Within, within } from '../../../db/staging/stagingTables.ts'
import { isServed, type Served, servedValues } from '../../../sync/leases/served.ts'
import { bufferToHex } from '../../../util/hex.ts'
import { isUnchecked } from '../../collection/coveredTo.ts'
import { lockCollection, lockCollections, skipHeld } from '../../collection/lock.ts'
import type { Standard } from '../../transfers/decodeTransfers.ts'
import { sameToken } from '../../transfers/tokenHash.ts'
import { dueNow, tokenPriorities } from './schedule.ts'
import { type TokenKey, tokenColumns } from './tokenKey.ts'

/** Columns of a collection `c` with a known standard. */
const sliceRow = defineRow({
  partition: column.int2('c.partition'),
  id: column.int8('c.id'),
  chainId: column.int8('c.chain_id'),
  address: column.bytea('c.address').map(bufferToHex),
  standard: column.text<Standard>('c.standard'),
  mixed: column.bool('c.mixed'),
})

/** A followed collection with pending metadata. */
export type MetadataSlice = RowOf<typeof sliceRow>

/** Starts the slice of one collection, unless another transaction has locked it or nothing is due any more. */
const takeSlice = `
WITH due AS MATERIALIZED (
  SELECT partition, id FROM collection
  WHERE partition = $1 AND id = $2 AND metadata_due_at <= now() ${skipHeld}
)
UPDATE collection c SET metadata_turn_at = now() FROM due
WHERE c.partition = $1 AND c.partition = due.partition AND c.id = due.id
RETURNING ${sliceRow.columns}`

/** Starts slices of the collections that waited longest for their metadata; skips those that another transaction has locked. */
export async function takeMetadataSlices(
  sql: Sql,
  options: { served: Served; except: readonly bigint[]; limit: number },
): Promise<MetadataSlice[]> {
  const waiting = await sql.rows<[number, bigint]>(
    `SELECT partition, id FROM collection
     WHERE metadata_due_at <= now() AND ${isServed('partition', 'chain_id')}
       AND NOT id = ANY($5::bigint[]) AND standard IS NOT NULL AND NOT ${isUnchecked()}
     ORDER BY metadata_turn_at LIMIT $6`,
    [...servedValues(options.served), options.except, options.limit],
  )
  const rows = (await Promise.all(waiting.map((key) => sql.rows(takeSlice, key)))).flat()
  return rows.map(sliceRow.decode)
}

/**
 * Ends a slice: stores when the next token or host is due. Metadata affects the spam status, so the collection is also assessed again: immediately
 * while few tokens were tried, else ten minutes after the last assessment.
 */
export async function endMetadataSlice(db: Database, slice: MetadataSlice): Promise<void> {
  await db.transaction(async (tx) => {
    // Locked first, so that the next statement sees what a concurrent transaction made due.
    await tx.rows(lockCollection, [slice.partition, slice.id])
    await tx.run(
      `UPDATE collection SET metadata_due_at = least(
           (SELECT nullif(min(d.due_at), 'infinity') FROM unnest($3::smallint[]) AS p (priority) CROSS JOIN LATERAL (
             SELECT due_at FROM metadata_due d
             WHERE d.partition = $1 AND d.collection_id = $2 AND d.priority = p.priority ORDER BY due_at LIMIT 1
           ) d),
           (SELECT min(retry_at) FROM collection_host WHERE partition = $1 AND collection_id = $2 AND dead_since IS NOT NULL)),
         assessed_at = CASE WHEN metadata_tried <= 1000 OR assessed_at < (SELECT now() - interval '10 minutes') THEN NULL ELSE assessed_at END
       WHERE partition = $1 AND id = $2`,
      [slice.partition, slice.id, tokenPriorities],
    )
  })
}

/** Ends a failed slice: the next one begins in `seconds`. */
export async function postponeMetadataSlice(sql: Sql, slice: MetadataSlice, seconds: number): Promise<void> {
  await sql.run(
    'UPDATE collection SET metadata_due_at = now() + make_interval(secs => $3) WHERE partition = $1 AND id = $2',
    [slice.partition, slice.id, seconds],
  )
}

type TokenToQueue = TokenKey & { tokenId: string }

const tokenList = defineLists<TokenToQueue>({ ...tokenColumns, token_id: list.numeric(({ tokenId }) => tokenId) })

const selectKnown = (of: Within, tables: readonly string[]) =>
  tables
    .map(
      (table) =>
        `SELECT encode(uuid_send(v.token_hash), 'hex') FROM ${tokenList.unnest()} JOIN ${table} d ON ${sameToken('d', 'v')}${of('d')}`,
    )
    .join(' UNION ')

const insertQueued = `
INSERT INTO metadata_due (${tokenList.columns}, due_at)
SELECT v.*, ${dueNow} FROM ${tokenList.unnest()} ON CONFLICT DO NOTHING`

const raiseQueued = (of: Within) => `
UPDATE collection c SET metadata_due_at = least(c.metadata_due_at, ${dueNow})
FROM (SELECT DISTINCT partition, collection_id FROM ${tokenList.unnest()}) v
WHERE c.partition = v.partition AND c.id = v.collection_id${of('c')}`

/**
 * Makes tokens of collections due now, by a few statements for all. Tokens that are already due keep their time: a failure is not retried sooner.
 * `untried`: only tokens without an attempt. False: none was made due.
 */
export async function queueTokens(
  db: Database,
  tokens: readonly TokenToQueue[],
  { untried = false }: { untried?: boolean } = {},
): Promise<boolean> {
  if (tokens.length === 0) return false
  const of = within(onlyPartition(tokens))
  const tables = untried ? ['metadata_due', 'token_metadata'] : ['metadata_due']
  const known = new Set(
    (await db.rows<[string]>(selectKnown(of, tables), tokenList.lists(tokens))).map(([hash]) => hash),
  )
  const missing = tokens.filter(({ hash }) => !known.has(hash))
  if (missing.length === 0) return false
  const lists = tokenList.lists(missing.toSorted(byKey))
  await db.transaction(async (tx) => {
    await lockCollections(tx, missing)
    await tx.run(insertQueued, lists)
    await tx.run(raiseQueued(of), lists)
  })
  return true
}

const byKey = (a: TokenToQueue, b: TokenToQueue) => a.partition - b.partition || Number(a.id - b.id)
