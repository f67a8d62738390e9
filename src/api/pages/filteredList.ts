import { z } from 'zod'
import { fault } from '../http/parseQuery.ts'
import type { Cursors } from './cursor.ts'

/** The items of a page of a list. `next`: where the next page begins, as a JSON value; null on the last page. */
export type FoundPage<Item, Place = unknown> = { items: Item[]; total: number; next: Place | null }

/** Filters of a list, which its cursors keep; JSON values. */
export type ListFilters = { limit: number } & Record<string, string | number | boolean | null>

/** The filters of a list, with the start of a page. */
export type ListPlace<F> = {
  filters: F
  page: number
  after: unknown
  /** Number of items on previous pages. */
  walked: number
}

/** Filters and place of a page: `given` with `defaults`, or those of the cursor. Throws BadRequestError. */
export function readList<F extends ListFilters>(options: {
  operation: string
  cursors: Cursors
  cursor: string | undefined
  given: { [name in keyof F]?: F[name] | undefined }
  defaults: F
}): ListPlace<F> {
  const { operation, cursors, cursor, given, defaults } = options
  const names = Object.keys(defaults) as (keyof F & string)[]
  if (!cursor) {
    const filters = { ...defaults }
    for (const name of names) if (given[name] !== undefined) filters[name] = given[name] as F[typeof name]
    return { filters, page: 0, after: null, walked: 0 }
  }
  const from = cursors.read(operation, cursor) as ListPlace<F>
  for (const name of names)
    if (given[name] !== undefined && given[name] !== from.filters[name])
      throw differs(name, given[name], from.filters[name])
  return from
}

/** Longer values of a filter are lists, or packed. */
const longestShown = 24

/** Filters that are part of a list's path. */
const ofPath = new Set(['address', 'wallet', 'token_id'])

/** The error for another value of a filter than that of the cursor. */
export function differs(name: string, given: unknown, first: unknown): Error {
  const [value, before] = [String(given), String(first)]
  if (ofPath.has(name)) {
    const other = first === null ? `a path without ${name}` : `the ${name} ${before}`
    return fault('cursor', `belongs to ${other}; allowed: a cursor from a response of the same path`)
  }
  // Chains are kept by their ids, and are often requested by name.
  if (value.length > longestShown || before.length > longestShown || value.startsWith('0x'))
    return fault(name, 'differs from the call that gave the cursor; allowed: the same, or none')
  if (first === null || first === undefined)
    return fault(name, `is "${value}", but the cursor was made without it; allowed with this cursor: omitting it`)
  return fault(name, `is "${value}", but the cursor was made with ${before}; allowed with this cursor: ${before}`)
}

/**
 * The body of the requested page; `read` returns the items after a place. On the last page, both cursor and total show
 * the end, as published clients check either. Throws BadRequestError.
 */
export async function readPage<F extends ListFilters, Item, Place>(
  options: {
    /** Operation id in cursors, with the version of their format. */
    operation: string
    cursors: () => Promise<Cursors>
    query: { cursor?: string | undefined } & { [name in keyof F]?: F[name] | undefined }
    defaults: F
  },
  read: (filters: F, after: Place | null) => Promise<FoundPage<Item, Place>>,
) {
  const { operation, query, defaults } = options
  const cursors = await options.cursors()
  const place = readList({ operation, cursors, cursor: query.cursor, given: query, defaults })
  const { filters, page } = place
  const found = await read(filters, place.after as Place | null)
  const walked = place.walked + found.items.length
  const next: ListPlace<F> = { filters, page: page + 1, after: found.next, walked }
  return {
    result: found.items,
    total: found.next === null ? walked : Math.max(found.total, walked + 1),
    cursor: found.next === null ? null : cursors.sign(operation, next),
    page,
    page_size: filters.limit,
  }
}

/** The schema of `readPage`'s result. */
export function listSchema(item: z.ZodType) {
  return z.object({
    result: z.array(item).describe('The items of the page.'),
    total: z.int().min(0).describe('How many items the list has.'),
    cursor: z.string().nullable().describe('Cursor of the next page; null on the last one.'),
    page: z.int().min(0).describe('Number of the page, the first one being 0.'),
    page_size: z.int().min(1).max(100).describe('Maximum records per page.'),
  })
}
