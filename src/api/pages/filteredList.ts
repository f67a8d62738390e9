import { z } from 'zod'
import { fault } from '../http/parseQuery.ts'
import type { Cursors } from './cursor.ts'

/** The items of a page of a list. `next`: where the next page begins, as a value that JSON can hold; null on the last page. */
export type FoundPage<Item, Place = unknown> = { items: Item[]; total: number; next: Place | null }

/** Filters of a list, which its cursors carry over to the next page; values that JSON can hold. */
export type ListFilters = { limit: number } & Record<string, string | number | boolean | null>

/** The filters of a list, and where a page of it begins. */
export type ListPlace<F> = {
  filters: F
  page: number
  after: unknown
  /** Items of the pages before; cursors of earlier programs, whose pages were all full, carry none. */
  walked?: number
}

/** The filters and the place of a page: `given` over `defaults`, or what the cursor holds. Throws BadRequestError. */
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
      throw fault(name, 'differs from the call that gave the cursor; allowed: the same, or none')
  return from
}

/** The body of a page. On the last page neither cursor nor total says that there is more, as published clients look at either. */
export function listBody<F extends ListFilters, Item>(options: {
  operation: string
  cursors: Cursors
  place: ListPlace<F>
  found: FoundPage<Item>
}) {
  const { operation, cursors, place, found } = options
  const { filters, page } = place
  const walked = (place.walked ?? page * filters.limit) + found.items.length
  const next: ListPlace<F> = { filters, page: page + 1, after: found.next, walked }
  return {
    result: found.items,
    total: found.next === null ? walked : Math.max(found.total, walked + 1),
    cursor: found.next === null ? null : cursors.sign(operation, next),
    page,
    page_size: filters.limit,
  }
}

/** The schema of what `listBody` gives. */
export function listSchema(item: z.ZodType) {
  return z.object({
    result: z.array(item).describe('The items of the page.'),
    total: z.int().min(0).describe('How many items the list has.'),
    cursor: z.string().nullable().describe('Cursor of the next page; null on the last one.'),
    page: z.int().min(0).describe('Number of the page, the first one being 0.'),
    page_size: z.int().min(1).max(100).describe('Most records on a page.'),
  })
}
