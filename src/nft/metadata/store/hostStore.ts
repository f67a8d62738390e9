import type { Database, Sql, Transaction } from '../../../db/database.ts'
import { defineLists, list } from '../../../db/defineLists.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { lockServedCollection } from '../../collection/lock.ts'
import type { HostState, MetadataHosts } from './metadataHosts.ts'
import type { MetadataSlice } from './metadataStore.ts'
import { dueNow } from './schedule.ts'

type Key = { partition: number; id: bigint }

const hostRow = defineRow({
  host: column.text('host'),
  deadSince: column.timestamptz('dead_since').map(Number).orNull(),
  failures: column.int4('failures'),
  fault: column.text('fault').orNull(),
  faultAt: column.timestamptz('fault_at').map(Number).orNull(),
  retryMs: column.float8('(extract(epoch FROM retry_at - now()) * 1000)::float8').orNull(),
})

/** The metadata hosts of a collection, dead ones first. */
export async function readHosts(sql: Sql, { partition, id }: Key): Promise<HostState[]> {
  const rows = await sql.rows(
    `SELECT ${hostRow.columns} FROM collection_host
     WHERE partition = $1 AND collection_id = $2 ORDER BY dead_since, host`,
    [partition, id],
  )
  return rows.map(hostRow.decode).map(({ retryMs, ...host }) => ({
    ...host,
    // `retry_at` is by the database's clock, which also decides when a slice begins.
    retryAt: retryMs === null ? null : Date.now() + retryMs,
  }))
}

/** Deletes dead hosts that are due for a trial and have no waiting tokens: the next metadata there is fetched like any other. */
const dropUnneeded = `
DELETE FROM collection_host h WHERE partition = $1 AND collection_id = $2 AND dead_since IS NOT NULL AND retry_at <= now()
  AND NOT EXISTS (SELECT 1 FROM metadata_due d WHERE d.partition = $1 AND d.collection_id = $2 AND d.host = h.host)`

/** Makes the longest waiting token of each dead host due for a trial. */
const wakeOne = `
UPDATE metadata_due d SET due_at = ${dueNow} FROM (
  SELECT w.token_hash FROM collection_host h CROSS JOIN LATERAL (
    SELECT token_hash FROM metadata_due
    WHERE partition = $1 AND collection_id = $2 AND host = h.host ORDER BY parked_at LIMIT 1
  ) w
  WHERE h.partition = $1 AND h.collection_id = $2 AND h.dead_since IS NOT NULL AND h.retry_at <= now()
) woken
WHERE d.partition = $1 AND d.collection_id = $2 AND d.token_hash = woken.token_hash
RETURNING replace(d.token_hash::text, '-', ''), d.host`

/**
 * The hosts of a collection at the start of its slice. `woken`: tokens for trials of dead hosts, by hash, with the host; their URI may have another
 * host by now. Undefined if another worker serves the collection.
 */
export async function beginHosts(
  db: Database,
  { partition, id }: Key,
  worker: number,
): Promise<{ known: HostState[]; woken: Map<string, string> } | undefined> {
  const key = [partition, id]
  const known = await readHosts(db, { partition, id })
  if (!known.some(({ retryAt }) => retryAt !== null && retryAt <= Date.now())) return { known, woken: new Map() }
  return db.transaction(async (tx) => {
    if (!(await lockServedCollection(tx, { partition, id }, worker))) return undefined
    await tx.run(dropUnneeded, key)
    const woken = await tx.rows<[string, string]>(wakeOne, key)
    return { known: await readHosts(tx, { partition, id }), woken: new Map(woken) }
  })
}

/** Tokens released per transaction. */
const releasedAtOnce = 5_000

const release = `
UPDATE metadata_due SET host = NULL, parked_at = NULL, due_at = ${dueNow}
WHERE partition = $1 AND collection_id = $2 AND token_hash IN (
  SELECT token_hash FROM metadata_due WHERE partition = $1 AND collection_id = $2 AND host = $3 LIMIT ${releasedAtOnce})`

/**
 * Stores the dead hosts of staged tokens, in the transaction that suspends these tokens: without the host's row nothing would ever wake them. The
 * host is tried in the next slice, unless this slice continues to `endHosts`, which stores the time.
 */
export const keepDeadHosts = `
INSERT INTO collection_host AS h (partition, collection_id, host, dead_since, failures, fault, fault_at, retry_at)
SELECT DISTINCT ON (host) partition, collection_id, host, at, 1, reason, at, now() FROM stage_metadata
WHERE host IS NOT NULL ORDER BY host, at
ON CONFLICT (partition, collection_id, host) DO UPDATE SET dead_since = excluded.dead_since, failures = excluded.failures,
  fault = excluded.fault, fault_at = excluded.fault_at, retry_at = excluded.retry_at
WHERE h.dead_since IS NULL`

const dropHosts = 'DELETE FROM collection_host WHERE partition = $1 AND collection_id = $2 AND host = ANY($3::text[])'

const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms))
const savedHosts = defineLists<HostState>({
  host: list.text(({ host }) => host),
  dead_since: list.timestamptz(({ deadSince }) => dateOf(deadSince)),
  failures: list.int4(({ failures }) => failures),
  fault: list.text(({ fault }) => fault),
  fault_at: list.timestamptz(({ faultAt }) => dateOf(faultAt)),
  retry_ms: list.float8(({ retryAt }) => (retryAt === null ? null : retryAt - Date.now())),
})

const saveHosts = `
INSERT INTO collection_host (partition, collection_id, host, dead_since, failures, fault, fault_at, retry_at)
SELECT $1, $2, host, dead_since, failures, fault, fault_at, now() + make_interval(secs => retry_ms / 1000)
FROM ${savedHosts.unnest(3)}
ON CONFLICT (partition, collection_id, host) DO UPDATE SET dead_since = excluded.dead_since, failures = excluded.failures,
  fault = excluded.fault, fault_at = excluded.fault_at, retry_at = excluded.retry_at`

/**
 * Stores the host states of a slice. Tokens of responsive hosts become due before the hosts are stored as alive: if the process dies in between, the
 * host is tried again.
 */
export async function endHosts(
  db: Database,
  slice: MetadataSlice,
  options: { worker: number; hosts: MetadataHosts; signal: AbortSignal },
): Promise<void> {
  const { worker, hosts, signal } = options
  const { changed, back, abandoned } = hosts.changes()
  const key = [slice.partition, slice.id]
  const isMine = (tx: Transaction) => lockServedCollection(tx, slice, worker)
  for (const host of back) {
    let released = releasedAtOnce
    while (released === releasedAtOnce) {
      signal.throwIfAborted()
      released = await db.transaction(async (tx) => ((await isMine(tx)) ? tx.run(release, [...key, host]) : 0))
    }
  }
  if (changed.length + abandoned.length === 0) return
  await db.transaction(async (tx) => {
    if (!(await isMine(tx))) return
    await tx.run(dropHosts, [...key, abandoned])
    await tx.run(saveHosts, [...key, ...savedHosts.lists(changed)])
  })
}

/** Tries the collection's dead hosts now, because a client requests its metadata; each at most once a minute. */
export async function tryHosts(sql: Sql, { partition, id }: Key): Promise<void> {
  await sql.run(
    `UPDATE collection_host SET retry_at = now()
     WHERE partition = $1 AND collection_id = $2 AND dead_since IS NOT NULL AND fault_at < now() - interval '1 minute'`,
    [partition, id],
  )
}
