import type { Database, Sql } from '../../../db/database.ts'
import { column, defineRow, type RowOf } from '../../../db/defineRow.ts'
import { isServed, type Served, servedValues } from '../../../sync/leases/served.ts'
import { bufferToHex } from '../../../util/hex.ts'
import { lockCollection, skipHeld } from '../../collection/lock.ts'
import type { Standard } from '../../transfers/decodeTransfers.ts'
import { selectHashesIn } from '../../transfers/keyed.ts'
import { dueNow, duePriorities } from './due.ts'

/** Of a collection `c` whose standard is known. */
const turnRow = defineRow({
  partition: column.int2('c.partition'),
  id: column.int8('c.id'),
  chainId: column.int8('c.chain_id'),
  address: column.bytea('c.address').map(bufferToHex),
  standard: column.text<Standard>('c.standard'),
  mixed: column.bool('c.mixed'),
})

/** A followed collection that has metadata to read. */
export type MetadataTurn = RowOf<typeof turnRow>

/** Begins the turn of one collection, unless another transaction holds it or nothing of it is due any more. */
const takeTurn = `
WITH due AS MATERIALIZED (
  SELECT partition, id FROM collection
  WHERE partition = $1 AND id = $2 AND metadata_due_at <= now() ${skipHeld}
)
UPDATE collection c SET metadata_turn_at = now() FROM due
WHERE c.partition = $1 AND c.partition = due.partition AND c.id = due.id
RETURNING ${turnRow.columns}`

/** Begins the turns of the collections that waited longest for their metadata; those that another transaction holds are omitted. */
export async function takeMetadataTurns(
  sql: Sql,
  options: { served: Served; except: readonly bigint[]; limit: number },
): Promise<MetadataTurn[]> {
  const waiting = await sql.rows<[number, bigint]>(
    `SELECT partition, id FROM collection
     WHERE metadata_due_at <= now() AND ${isServed('partition', 'chain_id')}
       AND NOT id = ANY($5::bigint[]) AND standard IS NOT NULL
     ORDER BY metadata_turn_at LIMIT $6`,
    [...servedValues(options.served), options.except, options.limit],
  )
  const rows = (await Promise.all(waiting.map((key) => sql.rows(takeTurn, key)))).flat()
  return rows.map(turnRow.decode)
}

/**
 * Ends a turn: stores when the next token or host of the collection is due. As documents decide whether a collection is spam, it is also
 * to be assessed again: at once while few tokens were tried, else when the last assessment is ten minutes old.
 */
export async function endMetadataTurn(db: Database, turn: MetadataTurn): Promise<void> {
  await db.transaction(async (tx) => {
    // Locked first, so that the next statement sees what a transaction made due for which the lock waited.
    await tx.rows(lockCollection, [turn.partition, turn.id])
    await tx.run(
      `UPDATE collection SET metadata_due_at = least(
           (SELECT nullif(min(d.due_at), 'infinity') FROM unnest($3::smallint[]) AS p (priority) CROSS JOIN LATERAL (
             SELECT due_at FROM metadata_due d
             WHERE d.partition = $1 AND d.collection_id = $2 AND d.priority = p.priority ORDER BY due_at LIMIT 1
           ) d),
           (SELECT min(retry_at) FROM collection_host WHERE partition = $1 AND collection_id = $2 AND dead_since IS NOT NULL)),
         assessed_at = CASE WHEN metadata_tried <= 1000 OR assessed_at < (SELECT now() - interval '10 minutes') THEN NULL ELSE assessed_at END
       WHERE partition = $1 AND id = $2`,
      [turn.partition, turn.id, duePriorities],
    )
  })
}

/** Ends a turn that came to nothing: the next one begins in `seconds`. */
export async function postponeMetadataTurn(sql: Sql, turn: MetadataTurn, seconds: number): Promise<void> {
  await sql.run(
    'UPDATE collection SET metadata_due_at = now() + make_interval(secs => $3) WHERE partition = $1 AND id = $2',
    [turn.partition, turn.id, seconds],
  )
}

const selectDue = selectHashesIn('metadata_due')

/** Makes tokens of a collection due now. Tokens that are already due at some time keep that time: a failure is not tried sooner. */
export async function makeDue(
  db: Database,
  key: { partition: number; id: bigint },
  tokens: readonly { hash: string; tokenId: string }[],
): Promise<void> {
  const known = await db.rows<[string]>(selectDue, [key.partition, key.id, tokens.map(({ hash }) => hash)])
  const due = new Set(known.map(([hash]) => hash))
  const missing = tokens.filter(({ hash }) => !due.has(hash))
  if (missing.length === 0) return
  await db.transaction(async (tx) => {
    await tx.rows(lockCollection, [key.partition, key.id])
    await tx.run(
      `INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at)
       SELECT $1, $2, t.hash, t.id, ${dueNow} FROM unnest($3::uuid[], $4::numeric[]) AS t (hash, id) ON CONFLICT DO NOTHING`,
      [key.partition, key.id, missing.map((t) => t.hash), missing.map((t) => t.tokenId)],
    )
    await tx.run(
      `UPDATE collection SET metadata_due_at = least(metadata_due_at, ${dueNow}) WHERE partition = $1 AND id = $2`,
      [key.partition, key.id],
    )
  })
}
