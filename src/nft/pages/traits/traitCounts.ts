import { LRUCache } from 'lru-cache'
import type { Sql } from '../../../db/database.ts'
import { column, defineRow, type RowOf } from '../../../db/defineRow.ts'
import type { CollectionState } from '../../query.ts'
import { keyed } from '../../transfers/keyed.ts'

/** Trait counts as JSON, by trait key of 32 hex digits; `null` if a trait is not counted. */
export type CountTexts = ReadonlyMap<string, Buffer>

export type TraitCounts = {
  /**
   * The counts at `version` of the collection's `traits_version`, which every change of a count increments in its transaction; or those of a newer
   * version. `texts` has all requested traits, and may have others.
   */
  read(
    collection: Pick<CollectionState, 'epoch' | 'partition' | 'id'>,
    version: bigint,
    traits: readonly string[],
  ): Promise<{ version: bigint; texts: CountTexts }>
}

/** Most cached counts in all, 200 bytes each. */
const mostKept = 100_000

const countRow = defineRow({
  version: column.int8('c.traits_version'),
  trait: column.text(`encode(uuid_send(n.trait), 'hex')`).orNull(),
  tokens: column.text('n.tokens::text').orNull(),
})

/** SQL of the counts of the traits in a list, of collection $2 in partition $1. */
export const countsOf = (list: string) =>
  `SELECT n.trait, n.tokens FROM ${keyed({ table: 'trait_count', row: 'n', list, key: 'trait' })}`

/** The version is in each row. If no trait is counted, it is in a single row. */
const selectCounts = `
SELECT ${countRow.columns}
FROM collection c LEFT JOIN (${countsOf('$3::uuid[]')}) n ON true
WHERE c.partition = $1 AND c.id = $2`

const unknown = Buffer.from('null')

/** Reads trait counts, once per version. */
export function createTraitCounts(sql: Sql, most = mostKept): TraitCounts {
  /** Counts of collections at one version. */
  const known = new LRUCache<string, Kept>({ maxSize: most, sizeCalculation: ({ texts }) => texts.size + 1 })

  /** Returns `version` if the collection was removed. */
  async function readNow(partition: number, id: bigint, traits: ReadonlySet<string>, version: bigint): Promise<Kept> {
    const rows = (await sql.rows(selectCounts, [partition, id, [...traits]])).map(countRow.decode)
    return { version: rows[0]?.version ?? version, texts: textsOf(traits, rows) }
  }

  return {
    async read({ epoch, partition, id }, version, traits) {
      const name = `${epoch}:${id}`
      const own = known.get(name)
      const texts = own?.version === version ? own.texts : new Map<string, Buffer>()
      const missing = new Set(traits.filter((trait) => !texts.has(trait)))
      if (missing.size === 0) return { version, texts }
      let found = await readNow(partition, id, missing, version)
      const all = new Set(traits)
      // The cached counts are of another version than these.
      if (found.version !== version && missing.size < all.size) found = await readNow(partition, id, all, version)
      if (found.version === version) {
        for (const [trait, text] of found.texts) texts.set(trait, text)
        found = { version, texts }
      }
      if ((known.peek(name)?.version ?? 0n) <= found.version) known.set(name, found)
      return found
    },
  }
}

/** Cached counts of a collection: a new object after each read, as the cache reads its size once. */
type Kept = { version: bigint; texts: Map<string, Buffer> }

function textsOf(traits: Iterable<string>, rows: readonly RowOf<typeof countRow>[]): Map<string, Buffer> {
  const texts = new Map(Array.from(traits, (trait) => [trait, unknown] as const))
  for (const { trait, tokens } of rows) if (trait !== null && tokens !== null) texts.set(trait, Buffer.from(tokens))
  return texts
}
