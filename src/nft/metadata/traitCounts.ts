import type { Sql } from '../../db/database.ts'
import type { CollectionState } from '../query.ts'

/** Counts of traits as JSON text by their keys, 32 hex digits; `null` where nothing is counted. */
export type CountTexts = ReadonlyMap<string, Buffer>

export type TraitCounts = {
  /** At least as new as `state`. What is asked for is in the answer, others may be. */
  read(state: CollectionState, traits: readonly string[]): Promise<CountTexts>
}

/** Counts kept in all, 200 bytes each. */
const mostKept = 100_000

const selectCounts = `
SELECT encode(uuid_send(trait), 'hex'), tokens::text FROM trait_count
WHERE partition = $1 AND collection_id = $2 AND trait = ANY($3::uuid[])`

const unknown = Buffer.from('null')

/**
 * The counts of traits, each read once a version: `traits_version` of the collection, which every change of one raises in
 * its transaction. A count that was read after a version is at least as new as that, and no newer version is known to whoever
 * asks for it; so a page is as new as the state that it was asked with.
 */
export function createTraitCounts(sql: Sql, most = mostKept): TraitCounts {
  const known = new Map<string, Kept>()
  let kept = 0

  function keptOf({ epoch, id, traitsVersion: version }: CollectionState): Kept {
    const name = `${epoch}:${id}`
    const before = known.get(name)
    if (before && before.version >= version) return before
    const counts = new Map<string, Buffer>()
    const begun = { name, version, counts }
    kept += 1 - (before ? before.counts.size + 1 : 0)
    known.set(name, begun)
    return begun
  }

  return {
    async read(state, traits) {
      const { partition, id } = state
      const own = keptOf(state)
      const missing = new Set<string>()
      for (const trait of traits) if (!own.counts.has(trait)) missing.add(trait)
      if (missing.size === 0) return own.counts
      const found = textsOf(missing, await sql.rows<[string, string]>(selectCounts, [partition, id, [...missing]]))
      if (kept + found.size > most) {
        known.clear()
        kept = 0
      }
      // Forgotten, just now or while they were read, or of an older version: they are good for this page only.
      if (known.get(own.name) !== own) return new Map([...own.counts, ...found])
      const before = own.counts.size
      for (const [trait, text] of found) own.counts.set(trait, text)
      kept += own.counts.size - before
      return own.counts
    },
  }
}

/** What is kept of a collection. */
type Kept = { name: string; version: bigint; counts: Map<string, Buffer> }

function textsOf(traits: Iterable<string>, rows: readonly (readonly [string, string])[]): Map<string, Buffer> {
  const texts = new Map(Array.from(traits, (trait) => [trait, unknown] as const))
  for (const [trait, tokens] of rows) texts.set(trait, Buffer.from(tokens))
  return texts
}
