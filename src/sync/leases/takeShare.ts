import type { Database, Sql } from '../../db/database.ts'
import type { LeaseKind } from './leaseKind.ts'
import { type AbleWorker, shareLeases } from './shareLeases.ts'

/** After so long any worker that is able takes a free lease, beyond its share too: the worker whose share it is does not come. */
const abandonedMs = 5_000

/** Since when this process has seen each lease free. */
export type FreeSince = {
  /** What is free of a kind now. Answers those that are free for long. */
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

/** Takes what `shareLeases` says. Answers what is held then and kept, and what is to be given back. */
export async function takeShare(
  db: Database,
  { kind, self, freeSince }: { kind: LeaseKind; self: number; freeSince: FreeSince },
): Promise<{ kept: Set<bigint>; surplus: readonly bigint[] }> {
  return db.transaction(async (tx) => {
    const rows = await tx.rows<[bigint, number | null]>(
      'SELECT key, worker_id FROM lease WHERE kind = $1 ORDER BY key',
      [kind],
    )
    const leases = rows.map(([key, worker]) => ({ key, worker }))
    const abandoned = freeSince.see(
      kind,
      leases.filter(({ worker }) => worker === null).map(({ key }) => key),
    )
    const workers = await readAble(tx, kind)
    const { take, giveBack } = shareLeases({ self, leases, workers, abandoned })
    const held = new Set(leases.filter(({ worker }) => worker === self).map(({ key }) => key))
    if (take.length > 0) {
      const taken = await tx.rows<[bigint]>(
        `UPDATE lease SET worker_id = $2 WHERE kind = $1 AND key IN (
           SELECT key FROM lease WHERE kind = $1 AND worker_id IS NULL AND key = ANY($3::bigint[]) FOR UPDATE SKIP LOCKED)
         RETURNING key`,
        [kind, self, take],
      )
      for (const [key] of taken) held.add(key)
    }
    for (const key of giveBack) held.delete(key)
    return { kept: held, surplus: giveBack }
  })
}

/** The living workers that take part in a kind, with what each is able to take. */
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
