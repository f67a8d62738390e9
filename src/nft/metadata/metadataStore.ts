import type { Database, Sql, Transaction } from '../../db/database.ts'
import { isServed, type Served, servedValues } from '../../sync/served.ts'
import { type Address, bufferToHex } from '../../util/hex.ts'
import type { Standard } from '../decodeTransfers.ts'
import { forgetTokens } from './forgetTokens.ts'
import type { DueToken } from './outcome.ts'

/** A followed collection that has metadata to read. */
export type MetadataTurn = { partition: number; id: bigint; chainId: bigint; address: Address; standard: Standard }

type TurnRow = [number, bigint, bigint, Buffer, Standard]

function turnOf([partition, id, chainId, address, standard]: TurnRow): MetadataTurn {
  return { partition, id, chainId, address: bufferToHex(address), standard }
}

/** Milliseconds, so that a time that went through this program is still the one in the row. */
const now = `date_trunc('milliseconds', now())`

/** The collections that waited longest for their metadata; their turn begins now. */
export async function takeMetadataTurns(
  sql: Sql,
  options: { served: Served; except: readonly bigint[]; limit: number },
): Promise<MetadataTurn[]> {
  const rows = await sql.rows<TurnRow>(
    `UPDATE collection c SET metadata_turn_at = now() FROM (
       SELECT partition, id FROM collection
       WHERE metadata_due_at <= now() AND ${isServed('partition', 'chain_id')}
         AND NOT id = ANY($5::bigint[]) AND standard IS NOT NULL
       ORDER BY metadata_turn_at LIMIT $6
     ) due
     WHERE c.partition = due.partition AND c.id = due.id
     RETURNING c.partition, c.id, c.chain_id, c.address, c.standard`,
    [...servedValues(options.served), options.except, options.limit],
  )
  return rows.map(turnOf)
}

/** Tokens that are due after the last one of the batch before, longest due first. */
export async function readDue(
  sql: Sql,
  turn: MetadataTurn,
  after: DueToken | undefined,
  limit: number,
): Promise<DueToken[]> {
  const rows = await sql.rows<[string, string, Date, number, Date]>(
    `SELECT token_hash, token_id, due_at, attempts, ${now} FROM metadata_due
     WHERE partition = $1 AND collection_id = $2 AND due_at <= now() AND (due_at, token_hash) > ($3, $4)
     ORDER BY due_at, token_hash LIMIT $5`,
    [
      turn.partition,
      turn.id,
      after?.dueAt ?? '-infinity',
      after?.hash ?? '00000000-0000-0000-0000-000000000000',
      limit,
    ],
  )
  return rows.map(([hash, tokenId, dueAt, attempts, takenAt]) => {
    return { hash, tokenId: BigInt(tokenId), dueAt, attempts, takenAt }
  })
}

/**
 * When the collection has something due next. What it says decides how it is judged, so it is judged again: at once
 * while it is small, else not more often than its documents trickle in.
 */
export async function endMetadataTurn(sql: Sql, turn: MetadataTurn): Promise<void> {
  await sql.run(
    `UPDATE collection SET metadata_due_at =
       least((SELECT nullif(min(due_at), 'infinity') FROM metadata_due WHERE partition = $1 AND collection_id = $2),
         (SELECT min(retry_at) FROM collection_host WHERE partition = $1 AND collection_id = $2 AND dead_since IS NOT NULL)),
       assessed_at = CASE WHEN metadata_tried <= 1000 OR assessed_at < now() - interval '10 minutes' THEN NULL ELSE assessed_at END
     WHERE partition = $1 AND id = $2`,
    [turn.partition, turn.id],
  )
}

/** The turn came to nothing, and the next one is `seconds` away. */
export async function postponeMetadataTurn(sql: Sql, turn: MetadataTurn, seconds: number): Promise<void> {
  await sql.run(
    'UPDATE collection SET metadata_due_at = now() + make_interval(secs => $3) WHERE partition = $1 AND id = $2',
    [turn.partition, turn.id, seconds],
  )
}

/** Whoever changes metadata rows of a collection locks it first, so that no two can wait for each other. */
export const lockCollection = 'SELECT 1 FROM collection WHERE partition = $1 AND id = $2 FOR UPDATE'

/** Tokens of a collection are due now, but for those that are due already, be it later: a failure is not tried sooner. */
export async function makeDue(
  db: Database,
  key: { partition: number; id: bigint },
  tokens: readonly { hash: string; tokenId: string }[],
): Promise<void> {
  const values = [key.partition, key.id, tokens.map((t) => t.hash)]
  const known = await db.rows<[string]>(
    `SELECT replace(token_hash::text, '-', '') FROM metadata_due
     WHERE partition = $1 AND collection_id = $2 AND token_hash = ANY($3::uuid[])`,
    values,
  )
  const due = new Set(known.map(([hash]) => hash))
  const missing = tokens.filter(({ hash }) => !due.has(hash))
  if (missing.length === 0) return
  await db.transaction(async (tx) => {
    await tx.rows(lockCollection, [key.partition, key.id])
    await tx.run(
      `INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at)
       SELECT $1, $2, t.hash, t.id, ${now} FROM unnest($3::uuid[], $4::numeric[]) AS t (hash, id) ON CONFLICT DO NOTHING`,
      [key.partition, key.id, missing.map((t) => t.hash), missing.map((t) => t.tokenId)],
    )
    await tx.run(
      `UPDATE collection SET metadata_due_at = least(metadata_due_at, ${now}) WHERE partition = $1 AND id = $2`,
      [key.partition, key.id],
    )
  })
}

/** Every token of a collection is due, by the next sweep. */
export async function makeAllDue(sql: Sql, key: { partition: number; id: bigint }): Promise<void> {
  await sql.run(
    'UPDATE collection SET metadata_unswept = true, metadata_refresh_at = now() WHERE partition = $1 AND id = $2',
    [key.partition, key.id],
  )
}

/** Tokens put into metadata_due at once by a sweep. */
const sweepSize = 5_000

/** Sweeps of one collection that were only asked for as a refresh are this far apart. */
const sweepPause = `interval '10 minutes'`

/** A followed collection whose tokens are not all known to be read or due. */
export async function nextUnswept(sql: Sql, partitions: readonly bigint[]): Promise<MetadataTurn | undefined> {
  const [row] = await sql.rows<TurnRow>(
    `SELECT partition, id, chain_id, address, standard FROM collection
     WHERE metadata_unswept AND status = 'live' AND partition = ANY($1::smallint[])
       AND coalesce(metadata_swept_at, '-infinity') < now() - ${sweepPause}
     ORDER BY coalesce(metadata_swept_at, '-infinity') LIMIT 1`,
    [partitions],
  )
  return row && turnOf(row)
}

/**
 * Makes due what was never tried, or not since a refresh was asked for: one part of the collection after another, and
 * answers where the next one begins; undefined at the end.
 */
export async function sweep(tx: Transaction, turn: MetadataTurn, from: string): Promise<string | undefined> {
  await tx.rows(lockCollection, [turn.partition, turn.id])
  const [row] = await tx.rows<[string | null, bigint, string[] | null]>(
    `WITH part AS (
       SELECT token_hash, token_id, amount FROM token
       WHERE partition = $1 AND collection_id = $2 AND token_hash > $3 ORDER BY token_hash LIMIT ${sweepSize}
     ), due AS (
       INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at)
       SELECT $1, $2, p.token_hash, p.token_id, ${now} FROM part p
       WHERE p.amount > 0 AND NOT EXISTS (
         SELECT FROM token_metadata m WHERE m.partition = $1 AND m.collection_id = $2 AND m.token_hash = p.token_hash
           AND m.tried_at >= coalesce((SELECT metadata_refresh_at FROM collection WHERE partition = $1 AND id = $2), '-infinity'))
       ON CONFLICT DO NOTHING
     )
     SELECT (SELECT token_hash::text FROM part ORDER BY token_hash DESC LIMIT 1), (SELECT count(*) FROM part),
       (SELECT array_agg(token_hash)::text[] FROM part WHERE amount <= 0)`,
    [turn.partition, turn.id, from],
  )
  const [last, count, unlisted] = row ?? [null, 0n, null]
  // Burned in history that was read again after the collection was followed once.
  const hashes = unlisted ?? []
  await forgetTokens(tx, {
    partitions: hashes.map(() => turn.partition),
    collections: hashes.map(() => turn.id),
    hashes,
  })
  const more = last !== null && count === BigInt(sweepSize)
  await tx.run(
    `UPDATE collection SET metadata_due_at = least(metadata_due_at, ${now})${more ? '' : ', metadata_unswept = false, metadata_swept_at = now()'}
     WHERE partition = $1 AND id = $2`,
    [turn.partition, turn.id],
  )
  return more ? last : undefined
}
