import type { Sql } from '../../db/database.ts'
import { type AbleWorker, type LeaseKind, shareLeases } from './shareLeases.ts'

/** A lease that is free for this long is taken by any able worker, even beyond its share: the intended worker does not come. */
const abandonedMs = 5_000

/** Remembers since when each lease has been free. */
export type FreeSince = {
  /** Records the free leases of a kind. Returns those that have been free for long. */
  see(kind: LeaseKind, free: readonly bigint[]): ReadonlySet<bigint>
}

export function createFreeSince(): FreeSince {
  const since = new Map<LeaseKind, Map<bigint, number>>()
  return {
    see(kind, free) {
      const now = performance.now()
      const before = since.get(kind)
      const seen = new Map(free.map((key) => [key, before?.get(key) ?? now]))
      since.set(kind, seen)
      return new Set(free.filter((key) => now - seen.get(key)! > abandonedMs))
    },
  }
}

/** Takes leases according to `shareLeases`. Returns the leases that the worker keeps, and those that it must release. */
export async function takeShare(
  sql: Sql,
  { kind, self, freeSince }: { kind: LeaseKind; self: number; freeSince: FreeSince },
): Promise<{ kept: Set<bigint>; excess: readonly bigint[] }> {
  const rows = await sql.rows<[bigint, number | null]>(
    'SELECT key, worker_id FROM lease WHERE kind = $1 ORDER BY key',
    [kind],
  )
  const leases = rows.map(([key, worker]) => ({ key, worker }))
  const abandoned = freeSince.see(
    kind,
    leases.filter(({ worker }) => worker === null).map(({ key }) => key),
  )
  const workers = await readAble(sql, kind)
  const { take, giveBack } = shareLeases({ self, leases, workers, abandoned })
  const held = new Set(leases.filter(({ worker }) => worker === self).map(({ key }) => key))
  if (take.length > 0) {
    const taken = await sql.rows<[bigint]>(
      `UPDATE lease SET worker_id = $2 WHERE kind = $1 AND key IN (
         SELECT key FROM lease WHERE kind = $1 AND worker_id IS NULL AND key = ANY($3::bigint[]) FOR UPDATE SKIP LOCKED)
       RETURNING key`,
      [kind, self, take],
    )
    for (const [key] of taken) held.add(key)
  }
  for (const key of giveBack) held.delete(key)
  return { kept: held, excess: giveBack }
}

/** Running workers that take leases of a kind, with the keys that each can take. */
async function readAble(sql: Sql, kind: LeaseKind): Promise<AbleWorker[]> {
  const rows = await sql.rows<[number, string[] | null]>(
    `SELECT id, CASE WHEN takes ? $1 THEN ARRAY(SELECT jsonb_array_elements_text(takes->$1)) END FROM worker
     WHERE takes ? $1 OR takes IS NULL AND (kinds IS NULL OR $1 = ANY(kinds))`,
    [kind],
  )
  return rows.map(([id, keys]) => {
    const able = keys && new Set(keys)
    return { id, takes: (key) => !able || able.has(String(key)) }
  })
}
