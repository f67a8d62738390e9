import type { Database, Sql } from './database.ts'
import { withinTime } from './withinTime.ts'

/** What a search found. */
export type Found<Item> = {
  items: Item[]
  /** There are others. */
  more: boolean
  /** There may be others: it ended before everything was looked at. */
  cutShort: boolean
}

/** What a search is about, and what bounds it. */
export type SearchOptions = {
  /** What is searched for, without spaces around it, 1 to 200 characters. */
  text: string
  /** Most items. */
  limit: number
  /** Longest time of a statement, and after which no further one begins, in milliseconds. */
  ms: number
}

/** One way to find items: at most `most` of them. `cutShort`: not everything was looked at. Where `isOver`, it goes no further. */
export type Finder<Item> = (
  sql: Sql,
  most: number,
  isOver: () => boolean,
) => Promise<{ items: Item[]; cutShort?: boolean }>

/** What is found by an index comes in its order: a few rows of it are read, however many there are. */
const inOrderOfIndexes = 'SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off'

/** Asks finders one after another, the surest first, until there are enough items. `keyOf`: two items of one key are the same. */
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
    // As many as there are already may be found once more.
    const find = (sql: Sql) => finder(sql, limit + 1 + found.size, isOver)
    const answer = isOver() ? undefined : await withinTime(db, ms, find, inOrderOfIndexes)
    if (!answer || answer.cutShort) cutShort = true
    for (const item of answer?.items ?? []) if (!found.has(keyOf(item))) found.set(keyOf(item), item)
  }
  const more = found.size > limit
  return { items: [...found.values()].slice(0, limit), more, cutShort: cutShort && !more }
}
