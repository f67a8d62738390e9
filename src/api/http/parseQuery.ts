import { BadRequestError } from '../../util/errors.ts'

/** The parameters of an operation: single values, lists, and `whole` lists, whose items are not split at commas. */
export type QueryShape = { scalars: ReadonlySet<string>; lists: ReadonlySet<string>; whole?: ReadonlySet<string> }

export type QueryValues = Record<string, string | string[]>

/**
 * Parses a query string. Unknown names are omitted. A list is written `x=a&x=b`, `x[]=a&x[]=b`, `x[0]=a&x[1]=b` or, if
 * it is not `whole`, `x=a,b`. A single value must occur once.
 */
export function parseQuery(search: string, shape: QueryShape): QueryValues {
  const values: QueryValues = Object.create(null)
  const itemsOf = (name: string, value: string) => (shape.whole?.has(name) ? [value] : value.split(','))
  const indexed = new Map<string, [index: number, value: string][]>()
  for (const [written, value] of new URLSearchParams(search)) {
    const { name, index } = splitName(written)
    if (shape.scalars.has(name)) {
      if (index !== undefined) throw fault(name, `is written as the list ${written}; allowed: one value, as ${name}=…`)
      if (name in values) throw fault(name, 'is given more than once; allowed: one value')
      values[name] = value
    } else if (shape.lists.has(name)) {
      const items = itemsOf(name, value)
      if (typeof index === 'number') indexed.set(name, [...(indexed.get(name) ?? []), [index, value]])
      else values[name] = [...((values[name] as string[] | undefined) ?? []), ...items]
    }
  }
  for (const [name, items] of indexed) {
    const ordered = items.sort(([a], [b]) => a - b).flatMap(([, value]) => itemsOf(name, value))
    values[name] = [...((values[name] as string[] | undefined) ?? []), ...ordered]
  }
  return values
}

/** `x`, `x[]` or `x[3]`: the name, and for a list its index. */
function splitName(written: string): { name: string; index?: number | 'next' } {
  const match = /^([^[\]]+)\[(\d{0,6})\]$/.exec(written)
  if (!match) return { name: written }
  return { name: match[1]!, index: match[2] === '' ? 'next' : Number(match[2]) }
}

/** A 400 with the parameter, its error and the allowed values. */
export function fault(parameter: string, what: string): BadRequestError {
  return new BadRequestError(`${parameter} ${what}`, { details: { parameter } })
}
