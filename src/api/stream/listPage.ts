import type { Cursors } from '../cursor.ts'
import { fault } from '../parseQuery.ts'

type Signing = { operation: string; cursors: Cursors }

/** Filters of a list by name; what JSON can hold. One of them is the limit. */
type Filters = { limit: number } & Record<string, unknown>

/** Where a page of a list begins: after `after`, null on the first page. */
export type ListPlace<F extends Filters> = { after: unknown; page: number; filters: F }

type Signed = { after: unknown; page: number; filters: Record<string, unknown> }

/**
 * Where a page begins, with the limit and filters of the first call. Throws BadRequestError where the cursor is not one of this
 * operation, or a filter is given again and is another.
 */
export function readList<F extends Filters>(
  options: Signing & {
    cursor: string | undefined
    given: { [name in keyof F]?: F[name] | undefined }
    defaults: F
  },
): ListPlace<F> {
  const { operation, cursors, cursor, given, defaults } = options
  const asked = Object.entries(given).filter(([, value]) => value !== undefined)
  if (!cursor) return { after: null, page: 0, filters: { ...defaults, ...Object.fromEntries(asked) } }
  const signed = cursors.read(operation, cursor) as Signed
  for (const [name, value] of asked)
    if (value !== signed.filters[name])
      throw fault(name, `is ${String(value)}, but the cursor belongs to ${String(signed.filters[name])}; leave it out`)
  return { after: signed.after, page: signed.page, filters: { ...defaults, ...signed.filters } }
}

/**
 * A page as clients see it. On the last one the total is never above what the walk can have given: published clients would go
 * on asking.
 */
export function listBody<F extends Filters>(
  options: Signing & { place: ListPlace<F>; found: { items: readonly unknown[]; total: number; next: unknown } },
) {
  const { operation, cursors, place, found } = options
  const { page, filters } = place
  const last = found.next === null || found.next === undefined
  const cursor = last ? null : cursors.sign(operation, { after: found.next, page: page + 1, filters })
  return {
    result: found.items,
    total: last ? Math.min(found.total, page * filters.limit + found.items.length) : found.total,
    cursor,
    page,
    page_size: filters.limit,
  }
}
