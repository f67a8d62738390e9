import type { Sql } from '../../db/database.ts'
import type { CollectionState, HashRange, Page, PageOptions, Records } from '../query.ts'
import type { TraitFilter } from '../traits.ts'
import { highestHash, lowestHash } from '../transfers/tokenHash.ts'
import type { PageReader } from './createPageReader.ts'
import { fitting, isLarge, listedWidths } from './pageWidth.ts'
import { type HashBounds, hashBefore, walkTraits } from './traits/walkTraits.ts'

export type FilteredOptions = Omit<PageOptions, 'traits'> & { filter: TraitFilter }

/** Number of tokens in part of a collection that match a filter: reads every token with any of the traits. */
const countMatching = `
SELECT count(*) FROM (
  SELECT 1 FROM unnest($5::uuid[], $6::int4[]) AS f (trait, bit)
    JOIN token_trait x ON x.partition = $1 AND x.collection_id = $2 AND x.trait = f.trait AND x.token_hash >= $3 AND x.token_hash <= $4
  GROUP BY x.token_hash HAVING bit_or(f.bit) = $7
) m`

const countOne = 'SELECT tokens FROM trait_count WHERE partition = $1 AND collection_id = $2 AND trait = $3'

/** Pages and counts of tokens that match a filter of traits. */
export function createFilteredPages({ sql, pages }: { sql: Sql; pages: PageReader }) {
  return {
    async page(options: FilteredOptions): Promise<Page> {
      const { state, address, range, after, limit, filter, ...form } = options
      const bounds = boundsOf(range, after)
      if (!bounds) return { records: noRecords, count: 0, last: null }
      const walk = await walkTraits(sql, { state, filter, bounds, limit: limit + 1 })
      let shown = walk.hashes.slice(0, limit)
      let last = walk.hashes.length > limit ? shown.at(-1)! : walk.to
      if (isLarge([{ state, tokens: shown.length }])) {
        const fits = fitting(shown, await listedWidths(sql, { state, hashes: shown }, form))
        if (fits < shown.length) {
          shown = shown.slice(0, fits)
          last = shown.at(-1)!
        }
      }
      if (shown.length === 0) return { records: noRecords, count: 0, last }
      const chosen = await pages.page(state, 'chosen', [shown], form)
      // Metadata changed since the walk began: one statement checks traits and metadata.
      const isStill = chosen.traitsVersionOf(state.id) === walk.version
      if (!isStill) pages.giveBack(chosen)
      const page = isStill ? chosen : await pages.page(state, 'matching', [shown, ...maskOf(filter)], form)
      const count = page.lines.starts.length
      return { records: await pages.records(state, address, page, { count, hex: form.hex }), count, last }
    },

    async count(state: CollectionState, range: HashRange, filter: TraitFilter): Promise<number> {
      const bounds = boundsOf(range, null)
      if (!bounds) return 0
      const key = [state.partition, state.id]
      const [only] = filter.flat()
      const isOne = filter.flat().length === 1 && bounds.from === lowestHash && bounds.to === highestHash
      const [row] = isOne
        ? await sql.rows<[bigint]>(countOne, [...key, only])
        : await sql.rows<[bigint]>(countMatching, [...key, bounds.from, bounds.to, ...maskOf(filter)])
      return Number(row?.[0] ?? 0n)
    },
  }
}

const noRecords: Records = { toBuffer: (before = '', after = '') => Buffer.from(before + after) }

/** Both inclusive; undefined: nothing between them. */
function boundsOf(range: HashRange, after: string | null): HashBounds | undefined {
  const from = range.from ?? lowestHash
  const upper = after ?? range.to
  if (upper !== null && upper <= from) return undefined
  return { from, to: upper === null ? highestHash : hashBefore(upper) }
}

/** A filter as parameters: its traits, the bit of each one's group, and all bits. A filter has at most 20 groups. */
function maskOf(filter: TraitFilter): [traits: string[], bits: number[], all: number] {
  const bits = filter.flatMap((group, i) => group.map(() => 1 << i))
  return [filter.flat(), bits, 2 ** filter.length - 1]
}
