import { z } from 'zod'
import { fault } from '../http/parseQuery.ts'
import type { Cursors } from './cursor.ts'

/** What is on a page of a list. `next`: where the page after it begins, as JSON can hold it; null on the last one. */
export type FoundPage<Item, Place = unknown> = { items: Item[]; total: number; next: Place | null }

/** Filters of a list, which its cursors carry on; what JSON can hold. */
export type ListFilters = { limit: number } & Record<string, string | number | boolean | null>

type Place<F> = {
  filters: F
  page: number
  after: unknown
  /** Items of the pages before; cursors of earlier programs, whose pages were all full, carry none. */
  walked?: number
}

/** What a list is asked for: `given` over `defaults`, or what the cursor carries on. Throws BadRequestError. */
export function readList<F extends ListFilters>(options: {
  operation: string
  cursors: Cursors
  cursor: string | undefined
  given: { [name in keyof F]?: F[name] | undefined }
  defaults: F
}): Place<F> {
  const { operation, cursors, cursor, given, defaults } = options
  const names = Object.keys(defaults) as (keyof F & string)[]
  if (!cursor) {
    const filters = { ...defaults }
    for (const name of names) if (given[name] !== undefined) filters[name] = given[name] as F[typeof name]
    return { filters, page: 0, after: null, walked: 0 }
  }
  const from = cursors.read(operation, cursor) as Place<F>
  for (const name of names)
    if (given[name] !== undefined && given[name] !== from.filters[name])
      throw fault(name, 'differs from the call that gave the cursor; allowed: the same, or leaving it out')
  return from
}

/** A page as clients know it: on the last one nothing says that there is more, the total neither. */
export function listBody<F extends ListFilters, Item>(options: {
  operation: string
  cursors: Cursors
  place: Place<F>
  found: FoundPage<Item>
}) {
  const { operation, cursors, place, found } = options
  const { filters, page } = place
  const walked = (place.walked ?? page * filters.limit) + found.items.length
  const next: Place<F> = { filters, page: page + 1, after: found.next, walked }
  return {
    result: found.items,
    total: found.next === null ? walked : Math.max(found.total, walked + 1),
    cursor: found.next === null ? null : cursors.sign(operation, next),
    page,
    page_size: filters.limit,
  }
}

/** What `listBody` gives, as OpenAPI describes it. */
export function listSchema(item: z.ZodType) {
  return z.object({
    result: z.array(item).describe('The items of the page.'),
    total: z.int().min(0).describe('All items.'),
    cursor: z.string().nullable().describe('Gives the next page; null on the last one.'),
    page: z.int().min(0).describe('Number of the page, the first one being 0.'),
    page_size: z.int().min(1).max(100).describe('Most items on a page.'),
  })
}
