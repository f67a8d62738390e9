import type { Sql } from '../../db/database.ts'
import type { HostState } from './documentHosts.ts'
import { readHosts } from './hostStore.ts'

/** Where the metadata of a collection's tokens stands. */
export type MetadataSummary = {
  /** Tokens by what their last try came to. */
  ok: bigint
  failed: bigint
  permanent: bigint
  /** Tokens that are to be read, now or later: the failed ones, and those never read or to be read again. */
  due: bigint
  /** Those of them that wait for a dead host. */
  parked: bigint
  /** What the most tokens fail with, at most five. */
  reasons: { reason: string; tokens: bigint }[]
}

export async function readMetadataSummary(
  sql: Sql,
  { partition, id }: { partition: number; id: bigint },
): Promise<MetadataSummary> {
  const key = [partition, id]
  const states = await sql.rows<[string, bigint]>(
    'SELECT state, count(*) FROM token_metadata WHERE partition = $1 AND collection_id = $2 GROUP BY state',
    key,
  )
  const count = (wanted: string) => states.find(([state]) => state === wanted)?.[1] ?? 0n
  const [due] = await sql.rows<[bigint, bigint]>(
    'SELECT count(*), count(host) FROM metadata_due WHERE partition = $1 AND collection_id = $2',
    key,
  )
  const reasons = await sql.rows<[string, bigint]>(
    `SELECT reason, count(*) FROM token_metadata
     WHERE partition = $1 AND collection_id = $2 AND state <> 'ok' AND reason IS NOT NULL
     GROUP BY reason ORDER BY count(*) DESC, reason LIMIT 5`,
    key,
  )
  return {
    ok: count('ok'),
    failed: count('failed'),
    permanent: count('permanent'),
    due: due?.[0] ?? 0n,
    parked: due?.[1] ?? 0n,
    reasons: reasons.map(([reason, tokens]) => ({ reason, tokens })),
  }
}

/** A host of a collection's documents, and how many tokens wait for it to answer again. */
export type DocumentHost = HostState & { parked: bigint }

export async function readDocumentHosts(sql: Sql, key: { partition: number; id: bigint }): Promise<DocumentHost[]> {
  const waiting = await sql.rows<[string, bigint]>(
    `SELECT host, count(*) FROM metadata_due WHERE partition = $1 AND collection_id = $2 AND host IS NOT NULL GROUP BY host`,
    [key.partition, key.id],
  )
  const parked = new Map(waiting)
  return (await readHosts(sql, key)).map((state) => ({ ...state, parked: parked.get(state.host) ?? 0n }))
}

/** Tokens looked at by `countDue`, so that it costs little however many are due. */
export const mostDueCounted = 100_000

/** Of all collections: tokens that are due, and those among them that failed before, up to `mostDueCounted` of both. */
export async function countDue(sql: Sql): Promise<{ due: number; failed: number }> {
  const [row] = await sql.rows<[bigint, bigint]>(
    `SELECT count(*) FILTER (WHERE attempts = 0), count(*) FILTER (WHERE attempts > 0)
     FROM (SELECT attempts FROM metadata_due LIMIT ${mostDueCounted}) due`,
  )
  return { due: Number(row?.[0] ?? 0n), failed: Number(row?.[1] ?? 0n) }
}
