import type { Sql } from './database.ts'
import { column, defineRow } from './defineRow.ts'
import { type ApiKey, keyColumns } from './keys.ts'

/** A session of the console, and the key that it was opened with. */
export type StoredSession = {
  /** null: the configured key. */
  key: ApiKey | null
  /** Time of the last use, to the minute. */
  usedAt: Date
}

/** A session ends when it was not used, or was opened, for this long. */
const isAlive = `used_at > now() - interval '12 hours' AND begun_at > now() - interval '30 days'`

/** Most sessions of one key; the oldest ones end. */
const mostSessions = 100

/** Precision of the stored last use, in milliseconds. */
const useMs = 60_000

const sessionRow = defineRow({
  hash: column.bytea('token_hash'),
  usedAt: column.timestamptz('used_at'),
  keyId: column.int8('key_id'),
})
const keyRow = defineRow(keyColumns)
const sessionWidth = 3

/** Opens a session of a key (0: the configured one) and deletes the rows of ended ones. */
export async function insertSession(db: Sql, { hash, keyId }: { hash: Buffer; keyId: bigint }): Promise<void> {
  await db.run('INSERT INTO console_session (token_hash, key_id) VALUES ($1, $2)', [hash, keyId])
  await db.run(
    `DELETE FROM console_session WHERE NOT (${isAlive}) OR token_hash IN (
       SELECT token_hash FROM console_session WHERE key_id = $1 ORDER BY begun_at DESC, token_hash OFFSET $2)`,
    [keyId, mostSessions],
  )
}

/** Ends a session; does nothing if there is none. */
export async function deleteSession(db: Sql, hash: Buffer): Promise<void> {
  await db.run('DELETE FROM console_session WHERE token_hash = $1', [hash])
}

/** The active sessions with these hashes, of keys that are not revoked, by their hash in hex. */
export async function findSessions(db: Sql, hashes: readonly Buffer[]): Promise<Map<string, StoredSession>> {
  const rows = await db.rows(
    `SELECT ${sessionRow.columns}, ${keyRow.columns} FROM console_session LEFT JOIN api_key ON id = key_id
     WHERE token_hash = ANY($1::bytea[]) AND ${isAlive} AND (key_id = 0 OR (id IS NOT NULL AND revoked_at IS NULL))`,
    [hashes],
  )
  return new Map(
    rows.map((row) => {
      const { hash, usedAt, keyId } = sessionRow.decode(row)
      const key = keyId === 0n ? null : keyRow.decode(row.slice(sessionWidth))
      return [hash.toString('hex'), { key, usedAt }]
    }),
  )
}

/** Stores the current time as the sessions' last use; sessions stored within the last minute are skipped. */
export async function noteSessionUse(db: Sql, sessions: ReadonlyMap<string, StoredSession>): Promise<void> {
  const stale = [...sessions].filter(([, { usedAt }]) => Date.now() - usedAt.getTime() > useMs)
  if (stale.length === 0) return
  await db.run(
    `UPDATE console_session SET used_at = now()
     WHERE token_hash = ANY($1::bytea[]) AND used_at < now() - $2 * interval '1 millisecond'`,
    [stale.map(([hash]) => Buffer.from(hash, 'hex')), useMs],
  )
}
