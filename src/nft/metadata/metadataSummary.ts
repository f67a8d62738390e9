import type { Sql } from '../../db/database.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import { readHosts } from './store/hostStore.ts'
import type { HostState } from './store/metadataHosts.ts'
import { readSweep, type Sweep } from './store/sweep.ts'

/** State of the metadata of a collection's tokens. */
export type MetadataSummary = {
  /** Tokens that were read, failed, or failed permanently at the last attempt. */
  ok: bigint
  failed: bigint
  permanent: bigint
  /** Pending tokens, now or later: failed, unread, or scheduled for another read. */
  due: bigint
  /** Pending tokens of a dead host. */
  parked: bigint
  /** null: no sweep is requested or running. */
  sweep: Sweep | null
  /** Most frequent reasons of failures, at most five. */
  reasons: { reason: string; tokens: bigint }[]
}

/** The counts of a summary: they read all rows of the collection. */
export type MetadataCounts = Omit<MetadataSummary, 'sweep'>

/** One row per state, then one per reason: each row of the collection is read once. */
const selectCounts = `
WITH counted AS MATERIALIZED (
  SELECT state, CASE WHEN state <> 'ok' THEN reason END AS reason, count(*) AS tokens
  FROM token_metadata WHERE partition = $1 AND collection_id = $2 GROUP BY 1, 2
)
(SELECT state, NULL::text, sum(tokens)::int8 FROM counted GROUP BY state)
UNION ALL
(SELECT NULL, reason, sum(tokens)::int8 FROM counted WHERE reason IS NOT NULL
  GROUP BY reason ORDER BY sum(tokens) DESC, reason LIMIT 5)`

export async function readMetadataCounts(
  sql: Sql,
  { partition, id }: { partition: number; id: bigint },
): Promise<MetadataCounts> {
  const rows = await sql.rows<[string | null, string | null, bigint]>(selectCounts, [partition, id])
  const count = (wanted: string) => rows.find(([state]) => state === wanted)?.[2] ?? 0n
  const [due] = await sql.rows<[bigint, bigint]>(
    'SELECT count(*), count(host) FROM metadata_due WHERE partition = $1 AND collection_id = $2',
    [partition, id],
  )
  return {
    ok: count('ok'),
    failed: count('failed'),
    permanent: count('permanent'),
    due: due?.[0] ?? 0n,
    parked: due?.[1] ?? 0n,
    reasons: rows.flatMap(([, reason, tokens]) => (reason === null ? [] : [{ reason, tokens }])),
  }
}

/** The summary with these counts, which may be older than the state of the sweep. */
export async function withSweep(
  sql: Sql,
  key: { partition: number; id: bigint },
  counts: MetadataCounts,
): Promise<MetadataSummary> {
  return { ...counts, sweep: await readSweep(sql, key) }
}

/** A metadata host of a collection, with the number of tokens that wait for it. */
export type MetadataHost = HostState & { parked: bigint }

export async function readMetadataHosts(sql: Sql, key: { partition: number; id: bigint }): Promise<MetadataHost[]> {
  const waiting = await sql.rows<[string, bigint]>(
    `SELECT host, count(*) FROM metadata_due WHERE partition = $1 AND collection_id = $2 AND host IS NOT NULL GROUP BY host`,
    [key.partition, key.id],
  )
  const parked = new Map(waiting)
  return (await readHosts(sql, key)).map((state) => ({ ...state, parked: parked.get(state.host) ?? 0n }))
}

/** Most tokens that `countPendingMetadata` scans, so that counting is cheap for any number. */
export const mostPendingCounted = 100_000

const countRow = defineRow({
  /** Neither failed nor suspended. */
  due: column.int8('count(*) FILTER (WHERE host IS NULL AND attempts = 0)').map(Number),
  /** Tokens whose last attempt failed. */
  failed: column.int8('count(*) FILTER (WHERE host IS NULL AND attempts > 0)').map(Number),
  /** Tokens of a dead host. */
  parked: column.int8('count(host)').map(Number),
})

/** Tokens of all collections with pending metadata, now or later. Each token counts once. */
export type PendingMetadata = RowOf<typeof countRow>

/** Counts pending tokens, up to `mostPendingCounted` in all. */
export async function countPendingMetadata(sql: Sql): Promise<PendingMetadata> {
  const [row] = await sql.rows(
    `SELECT ${countRow.columns} FROM (SELECT attempts, host FROM metadata_due LIMIT ${mostPendingCounted}) due`,
  )
  return countRow.decode(row!)
}
