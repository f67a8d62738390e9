import { randomUUID } from 'node:crypto'
import type { Database, Transaction } from '../../db/database.ts'
import { lockCollectionsWhere } from '../collection/lock.ts'

/**
 * Makes collections due for assessment that other lists or rules assessed. The database stores for each partition the basis of its assessments, a
 * digest of lists and rules. Only the holder of a partition assesses it, so processes with different lists do not undo each other's work.
 */
export type Renewal = {
  /** Makes a batch of collections due that another basis than this one assessed. True: there may be more of them. */
  renew(held: ReadonlySet<bigint>, basis: string): Promise<boolean>
  /** The next call of `renew` reads the stored basis of all partitions again: another process may have held one meanwhile. */
  checkAgain(): void
}

/** Name of the row in `setting`: a JSON object with the basis of each partition. */
const name = 'spam_basis'

/** Most collections that a statement makes due: until it ends, it blocks their followers. */
export const renewedAtOnce = 1_000

/** Makes the next collections of a partition due. Returns the id of the last one; undefined: there is none. */
async function resetBatch(tx: Transaction, partition: bigint, after: bigint): Promise<bigint | undefined> {
  const locked = await lockCollectionsWhere(
    tx,
    `c.partition = $1 AND c.id > $2 AND c.assessed_at IS NOT NULL ORDER BY c.id LIMIT ${renewedAtOnce}`,
    [partition, after],
  )
  const ids = locked.map(({ id }) => id)
  if (ids.length > 0)
    await tx.run('UPDATE collection SET assessed_at = NULL WHERE partition = $1 AND id = ANY($2::bigint[])', [
      partition,
      ids,
    ])
  return ids.at(-1)
}

export function createRenewal({ db }: { db: Database }): Renewal {
  let current: string | undefined
  /** Partitions whose stored basis is the current one. */
  const renewed = new Set<bigint>()
  /** Partitions of which collections are being made due, with the last of these. */
  const pending = new Map<bigint, bigint>()
  /** The stored basis of `pending` partitions: until all is due, no basis is true of them. Unique, so that no other renewal continues this one. */
  const unfinished = `unfinished ${randomUUID()}`

  /** A process that loses a partition knows nothing about it. */
  function forgetOthers(held: ReadonlySet<bigint>): void {
    for (const partitions of [renewed, pending])
      for (const partition of partitions.keys()) if (!held.has(partition)) partitions.delete(partition)
  }

  /** Begins to renew those of these partitions that have another basis. */
  async function begin(partitions: readonly bigint[], basis: string): Promise<void> {
    if (partitions.length === 0) return
    const [row] = await db.rows<[string]>('SELECT value FROM setting WHERE name = $1', [name])
    const stored = JSON.parse(row?.[0] ?? '{}') as Record<string, string>
    const outdated = partitions.filter((partition) => stored[String(partition)] !== basis)
    if (outdated.length > 0) {
      const assessed = await readAssessed(outdated)
      const bases = outdated.map((partition) => [partition, assessed.has(partition) ? unfinished : basis])
      await db.run(
        `INSERT INTO setting (name, value) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET value = (setting.value::jsonb || excluded.value::jsonb)::text`,
        [name, JSON.stringify(Object.fromEntries(bases))],
      )
      for (const partition of assessed) pending.set(partition, 0n)
    }
    for (const partition of partitions) if (!pending.has(partition)) renewed.add(partition)
  }

  /** Ends the renewal of a partition. Does nothing if another process began one meanwhile: then it begins again. */
  async function finish(partition: bigint, basis: string): Promise<void> {
    const finished = await db.rows(
      `UPDATE setting SET value = (value::jsonb || jsonb_build_object($2::text, $3::text))::text
       WHERE name = $1 AND value::jsonb->>$2::text = $4 RETURNING name`,
      [name, String(partition), basis, unfinished],
    )
    pending.delete(partition)
    if (finished.length > 0) renewed.add(partition)
  }

  /** Those of these partitions that have assessed collections: few of many on a new server. */
  async function readAssessed(partitions: readonly bigint[]): Promise<Set<bigint>> {
    const rows = await db.rows<[number]>(
      `SELECT DISTINCT partition FROM collection
       WHERE partition = ANY($1::smallint[]) AND assessed_at IS NOT NULL ORDER BY partition`,
      [partitions],
    )
    return new Set(rows.map(([partition]) => BigInt(partition)))
  }

  return {
    async renew(held, basis) {
      if (basis !== current) {
        renewed.clear()
        pending.clear()
      }
      current = basis
      forgetOthers(held)
      await begin(
        [...held].filter((partition) => !renewed.has(partition) && !pending.has(partition)),
        basis,
      )
      const [next] = pending
      if (!next) return false
      const [partition, after] = next
      const last = await db.transaction((tx) => resetBatch(tx, partition, after))
      if (last === undefined) await finish(partition, basis)
      else pending.set(partition, last)
      return renewed.size < held.size
    },

    checkAgain() {
      renewed.clear()
    },
  }
}
