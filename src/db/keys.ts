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
  /** Token bucket of this key alone; null: the configuration's. */
  requestsPerSecond: column.float8('requests_per_second').orNull(),
  burst: column.int4('burst').orNull(),
  createdAt: column.timestamptz('created_at'),
  revokedAt: column.timestamptz('revoked_at').orNull(),
  /** When the last request with this key came, to the minute; null: never. */
  lastUsedAt: column.timestamptz('last_used_at').orNull(),
}

const keyRow = defineRow(keyColumns)
const hashedKeyRow = defineRow({ hash: column.bytea('hash'), ...keyColumns })

/** An API key as it is kept: only its holder knows its text. */
export type ApiKey = RowOf<typeof keyRow>

/** SHA-256 of a key's text. A key has 256 random bits, so nothing slower is needed to keep it from being guessed. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** What a key is created with. Rate limits that are omitted are the configuration's. */
export type NewKey = Pick<ApiKey, 'name' | 'access'> & Partial<Pick<ApiKey, 'requestsPerSecond' | 'burst'>>

/** Bounds of what a key is created with, by a command or a request. Names are measured in UTF-16 units. */
export const keyBounds = { nameLength: 200, requestsPerSecond: 1_000_000, burst: 10_000_000 } as const

/** Whether a list would show anything of a name: nothing is seen of spaces alone, or of characters that no terminal shows. */
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

/** All keys, the revoked ones too, oldest first. */
export async function listKeys(db: Sql): Promise<ApiKey[]> {
  const rows = await db.rows(`SELECT ${keyRow.columns} FROM api_key ORDER BY id`)
  return rows.map(keyRow.decode)
}

export const keyStatuses = ['active', 'revoked'] as const
export type KeyStatus = (typeof keyStatuses)[number]

/** Keys after the id `after`, oldest first; `total`: how many have that status. Status null: active and revoked ones. */
export async function readKeyPage(
  db: Sql,
  { status, after, limit }: { status: KeyStatus | null; after: bigint | null; limit: number },
): Promise<{ keys: ApiKey[]; total: number; hasMore: boolean }> {
  const isAsked = "($1::text IS NULL OR (revoked_at IS NULL) = ($1 = 'active'))"
  const rows = await db.rows(
    `SELECT ${keyRow.columns} FROM api_key WHERE id > $2 AND ${isAsked} ORDER BY id LIMIT $3`,
    [status, after ?? 0n, limit + 1],
  )
  const [counted] = await db.rows<[bigint]>(`SELECT count(*) FROM api_key WHERE ${isAsked}`, [status])
  return { keys: rows.slice(0, limit).map(keyRow.decode), total: Number(counted![0]), hasMore: rows.length > limit }
}

/** Revokes a key, which servers apply within a second; undefined if there is no such key or it was revoked before. */
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

/** How exactly the last use of a key is stored, in milliseconds, so that a busy key is not written for every request. */
const useMs = 60_000

/** Stores that keys are in use now; those whose last use was stored within the last minute are omitted. */
export async function noteUse(db: Sql, keys: readonly Pick<ApiKey, 'id' | 'lastUsedAt'>[]): Promise<void> {
  const due = keys.filter(({ lastUsedAt }) => lastUsedAt === null || Date.now() - lastUsedAt.getTime() > useMs)
  if (due.length === 0) return
  await db.run(
    `UPDATE api_key SET last_used_at = now()
     WHERE id = ANY($1::bigint[]) AND coalesce(last_used_at < now() - $2 * interval '1 millisecond', true)`,
    [due.map(({ id }) => id), useMs],
  )
}
