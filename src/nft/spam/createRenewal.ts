import type { Database } from '../../db/database.ts'

/**
 * Makes collections due for assessment that other lists or rules assessed. The database stores for each partition the basis of its assessments, a
 * digest of lists and rules. Only the holder of a partition assesses it, so processes with different lists do not undo each other's work.
 */
export type Renewal = {
  /** Makes a batch of collections due that another basis than this one assessed. True: there may be more of them. */
  renew(held: ReadonlySet<bigint>, basis: string): Promise<boolean>
  /** Called before collections are assessed without all lists: their partitions are renewed as soon as the basis is known. */
  distrust(held: ReadonlySet<bigint>, collections: readonly { partition: number }[]): Promise<void>
  /** The next call of `renew` reads the stored basis of all partitions again: another process may have held one meanwhile. */
  checkAgain(): void
}

/** Name of the row in `setting`: a JSON object with the basis of each partition. */
const name = 'spam_basis'

/** A basis that equals no digest. */
const unknown = ''

/** Most collections that a statement makes due: until it ends, it blocks their followers. */
export const renewedAtOnce = 1_000

const resetBatch = `
WITH batch AS MATERIALIZED (
  SELECT partition, id FROM collection WHERE partition = $1 AND id > $2 AND status IN ('live', 'known') AND assessed_at IS NOT NULL
  ORDER BY id LIMIT ${renewedAtOnce} FOR NO KEY UPDATE
)
UPDATE collection c SET assessed_at = NULL FROM batch
WHERE c.partition = $1 AND c.partition = batch.partition AND c.id = batch.id RETURNING c.id`

export function createRenewal({ db }: { db: Database }): Renewal {
  let current: string | undefined
  /** Partitions whose stored basis is the current one. */
  const renewed = new Set<bigint>()
  /** Partitions of which collections are being made due, with the last of these. */
  const pending = new Map<bigint, bigint>()
  /** Partitions whose stored basis is `unknown`. */
  const distrusted = new Set<bigint>()

  /** A process that loses a partition knows nothing about it. */
  function forgetOthers(held: ReadonlySet<bigint>): void {
    for (const partitions of [renewed, pending, distrusted])
      for (const partition of partitions.keys()) if (!held.has(partition)) partitions.delete(partition)
  }

  async function store(partitions: readonly bigint[], basis: string): Promise<void> {
    if (partitions.length === 0) return
    await db.run(
      `INSERT INTO setting (name, value) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET value = (setting.value::jsonb || excluded.value::jsonb)::text`,
      [name, JSON.stringify(Object.fromEntries(partitions.map((partition) => [partition, basis])))],
    )
  }

  async function setRenewed(partitions: readonly bigint[], basis: string): Promise<void> {
    await store(partitions, basis)
    for (const partition of partitions) renewed.add(partition)
  }

  /** Begins to renew those of these partitions that have another basis. */
  async function begin(partitions: readonly bigint[], basis: string): Promise<void> {
    if (partitions.length === 0) return
    const [row] = await db.rows<[string]>('SELECT value FROM setting WHERE name = $1', [name])
    const stored = JSON.parse(row?.[0] ?? '{}') as Record<string, string>
    const outdated = partitions.filter((partition) => stored[String(partition)] !== basis)
    for (const partition of partitions) if (!outdated.includes(partition)) renewed.add(partition)
    const assessed = outdated.length === 0 ? new Set() : await readAssessed(outdated)
    await setRenewed(
      outdated.filter((partition) => !assessed.has(partition)),
      basis,
    )
    for (const partition of outdated) if (assessed.has(partition)) pending.set(partition, 0n)
  }

  /** Those of these partitions that have assessed collections: few of many on a new server. */
  async function readAssessed(partitions: readonly bigint[]): Promise<Set<bigint>> {
    const rows = await db.rows<[number]>(
      `SELECT DISTINCT partition FROM collection
       WHERE partition = ANY($1::smallint[]) AND status IN ('live', 'known') AND assessed_at IS NOT NULL`,
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
      distrusted.clear()
      forgetOthers(held)
      await begin(
        [...held].filter((partition) => !renewed.has(partition) && !pending.has(partition)),
        basis,
      )
      const [next] = pending
      if (!next) return false
      const [partition, after] = next
      const ids = (await db.rows<[bigint]>(resetBatch, [partition, after])).map(([id]) => id)
      if (ids.length < renewedAtOnce) {
        await setRenewed([partition], basis)
        pending.delete(partition)
      } else
        pending.set(
          partition,
          ids.reduce((last, id) => (id > last ? id : last)),
        )
      return pending.size > 0
    },

    async distrust(held, collections) {
      forgetOthers(held)
      const partitions = [...new Set(collections.map(({ partition }) => BigInt(partition)))]
      await store(
        partitions.filter((partition) => !distrusted.has(partition)),
        unknown,
      )
      for (const partition of partitions) {
        distrusted.add(partition)
        renewed.delete(partition)
      }
    },

    checkAgain() {
      renewed.clear()
      distrusted.clear()
    },
  }
}
