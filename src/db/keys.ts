import { createHash, randomBytes } from 'node:crypto'
import type { Sql } from './database.ts'
import { column, defineRow, type RowOf } from './defineRow.ts'

/** read: NFTs, coins and statistics of streams; admin: everything. */
export type KeyAccess = 'read' | 'admin'

/** The columns of `ApiKey`. */
export const keyColumns = {
  id: column.int8('id'),
  name: column.text('name'),
  access: column.text<KeyAccess>('access'),
  /** Token bucket of this key; null: the configured one. */
  requestsPerSecond: column.float8('requests_per_second').orNull(),
  burst: column.int4('burst').orNull(),
  createdAt: column.timestamptz('created_at'),
  revokedAt: column.timestamptz('revoked_at').orNull(),
  /** Time of the last request with this key, to the minute; null: never. */
  lastUsedAt: column.timestamptz('last_used_at').orNull(),
}

const keyRow = defineRow(keyColumns)
const hashedKeyRow = defineRow({ hash: column.bytea('hash'), ...keyColumns })

/** An API key as stored: only its holder knows its text. */
export type ApiKey = RowOf<typeof keyRow>

/** SHA-256 of a key's text. A key has 256 random bits, so no slower hash is needed against guessing. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** The properties of a new key. Omitted rate limits are the configured ones. */
export type NewKey = Pick<ApiKey, 'name' | 'access'> & Partial<Pick<ApiKey, 'requestsPerSecond' | 'burst'>>

/** Limits of a new key's properties, from a command or a request. Names are measured in UTF-16 units. */
export const keyBounds = { nameLength: 200, requestsPerSecond: 1_000_000, burst: 10_000_000 } as const

/** Whether a name is visible in a list: spaces alone, or characters that no terminal shows, are not. */
export function isSeen(name: string): boolean {
  return /[^\p{C}\p{Z}]/u.test(name)
}

/** Creates a key; its text, `key`, is in the answer and nowhere else. */
export async function createKey(db: Sql, options: NewKey): Promise<ApiKey & { key: string }> {
  const key = `mm_${randomBytes(32).toString('base64url')}`
  const [row] = await db.rows(
    `INSERT INTO api_key (name, hash, access, requests_per_second, burst) VALUES ($1, $2, $3, $4, $5) RETURNING ${keyRow.columns}`,
    [options.name, hashKey(key), options.access, options.requestsPerSecond ?? null, options.burst ?? null],
  )
  return { ...keyRow.decode(row!), key }
}

/** All keys, including revoked ones, oldest first. */
export async function listKeys(db: Sql): Promise<ApiKey[]> {
  const rows = await db.rows(`SELECT ${keyRow.columns} FROM api_key ORDER BY id`)
  return rows.map(keyRow.decode)
}

export const keyStatuses = ['active', 'revoked'] as const
export type KeyStatus = (typeof keyStatuses)[number]

/** Keys after the id `after`, oldest first; `total`: number of keys with that status; `next`: `after` of the next page. Status null: active and revoked ones. */
export async function readKeyPage(
  db: Sql,
  { status, after, limit }: { status: KeyStatus | null; after: bigint | null; limit: number },
): Promise<{ items: ApiKey[]; total: number; next: string | null }> {
  const isRequested = "($1::text IS NULL OR (revoked_at IS NULL) = ($1 = 'active'))"
  const rows = await db.rows(
    `SELECT ${keyRow.columns} FROM api_key WHERE id > $2 AND ${isRequested} ORDER BY id LIMIT $3`,
    [status, after ?? 0n, limit + 1],
  )
  const [counted] = await db.rows<[bigint]>(`SELECT count(*) FROM api_key WHERE ${isRequested}`, [status])
  const items = rows.slice(0, limit).map(keyRow.decode)
  return { items, total: Number(counted![0]), next: rows.length > limit ? String(items.at(-1)!.id) : null }
}

/** Revokes a key, which servers apply within a second; undefined if there is no such key or it is revoked. */
export async function revokeKey(db: Sql, id: bigint): Promise<ApiKey | undefined> {
  const [row] = await db.rows(
    `UPDATE api_key SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING ${keyRow.columns}`,
    [id],
  )
  return row && keyRow.decode(row)
}

/** The active keys with these hashes, by their hash in hex. */
export async function findKeys(db: Sql, hashes: readonly Buffer[]): Promise<Map<string, ApiKey>> {
  const rows = await db.rows(
    `SELECT ${hashedKeyRow.columns} FROM api_key WHERE hash = ANY($1::bytea[]) AND revoked_at IS NULL`,
    [hashes],
  )
  const found = rows.map(hashedKeyRow.decode)
  return new Map(found.map(({ hash, ...key }) => [hash.toString('hex'), key]))
}

/** Precision of the stored last use, in milliseconds, so that a busy key is not written for every request. */
const useMs = 60_000

/** Stores the current time as the keys' last use; keys stored within the last minute are skipped. */
export async function noteUse(db: Sql, keys: readonly Pick<ApiKey, 'id' | 'lastUsedAt'>[]): Promise<void> {
  const stale = keys.filter(({ lastUsedAt }) => lastUsedAt === null || Date.now() - lastUsedAt.getTime() > useMs)
  if (stale.length === 0) return
  await db.run(
    `UPDATE api_key SET last_used_at = now()
     WHERE id = ANY($1::bigint[]) AND coalesce(last_used_at < now() - $2 * interval '1 millisecond', true)`,
    [stale.map(({ id }) => id), useMs],
  )
}
