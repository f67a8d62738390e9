import type { Database, Sql } from './database.ts'
import { withinTime } from './inSnapshot.ts'

/** Result of a search. */
export type Found<Item> = {
  items: Item[]
  /** There are further items. */
  more: boolean
  /** There may be further items: the search ended before it had checked everything. */
  cutShort: boolean
}

/** The text and limits of a search. */
export type SearchOptions = {
  /** The searched text, without surrounding spaces, 1 to 2,000 characters. */
  text: string
  /** Most items. */
  limit: number
  /** Longest time of one statement, and the time after which no further statement starts, in milliseconds. */
  ms: number
}

/** One way to find items, at most `most` of them. It stops once `isOver`; `cutShort`: it did not check everything. */
export type Finder<Item> = (
  sql: Sql,
  most: number,
  isOver: () => boolean,
) => Promise<{ items: Item[]; cutShort?: boolean }>

/** Rows are then read in index order, and no more than requested. */
const inOrderOfIndexes = 'SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off'

/** Runs finders one after another, the most precise first, until there are enough items. `keyOf`: items with equal keys are the same. */
export async function searchWithin<Item>(
  db: Database,
  { limit, ms }: SearchOptions,
  keyOf: (item: Item) => string,
  finders: readonly Finder<Item>[],
): Promise<Found<Item>> {
  const end = performance.now() + ms
  const isOver = () => performance.now() > end
  const found = new Map<string, Item>()
  let cutShort = false
  for (const finder of finders) {
    if (found.size > limit) break
    // The finder may find all items of others again.
    const find = (sql: Sql) => finder(sql, limit + 1 + found.size, isOver)
    const answer = isOver() ? undefined : await withinTime(db, ms, find, inOrderOfIndexes)
    if (!answer || answer.cutShort) cutShort = true
    for (const item of answer?.items ?? []) if (!found.has(keyOf(item))) found.set(keyOf(item), item)
  }
  const more = found.size > limit
  return { items: [...found.values()].slice(0, limit), more, cutShort: cutShort && !more }
}
