import { binaryList } from './arrayValue.ts'

/** One column of a statement's list parameters: a PostgreSQL type, and the value from an item. */
export type ListColumn<T> = {
  readonly type: string
  /** `place`: index of the item, from 0. */
  readonly of: (item: T, place: number) => unknown
  /** The values are texts. */
  readonly isText?: true
}

/** Rows that are passed to a statement as lists, one per column. */
export type ListsDefinition<T> = {
  /** The names of the columns, separated by commas. */
  readonly columns: string
  /** `unnest($1::int2[], …) AS v (…)`: the rows as a table, with `$first` as the first list. */
  unnest(first?: number, alias?: string): string
  /** The values for `unnest`: one list per column, in the order of `columns`. */
  lists(items: readonly T[]): unknown[]
}

const listOf =
  <Value>(type: string) =>
  <T>(of: (item: T, place: number) => Value | null): ListColumn<T> => ({ type, of })

/** Columns by PostgreSQL's name of their type. */
export const list = {
  bool: listOf<boolean>('bool'),
  int2: listOf<number>('int2'),
  int4: listOf<number>('int4'),
  int8: listOf<bigint | number>('int8'),
  float4: listOf<number>('float4'),
  float8: listOf<number>('float8'),
  numeric: listOf<bigint | string>('numeric'),
  text: <T>(of: (item: T, place: number) => string | null): ListColumn<T> => ({ type: 'text', of, isText: true }),
  uuid: listOf<string>('uuid'),
  bytea: listOf<Uint8Array>('bytea'),
  timestamptz: listOf<Date | '-infinity'>('timestamptz'),
}

/**
 * Rows for a statement, declared once: the names and types of their columns, and where each value comes from. The statement takes
 * its column list and its parameters from it, so that no list can be taken for another one. PostgreSQL unnests the lists side by
 * side: the statement has the same text for any number of rows.
 *
 *     const place = defineLists<Place>({ chain_id: list.int8((p) => p.chainId), address: list.bytea((p) => hexToBuffer(p.address)) })
 *     await sql.rows(`SELECT id FROM collection JOIN ${place.unnest(2)} USING (${place.columns}) WHERE partition = $1`, [
 *       partition,
 *       ...place.lists(places),
 *     ])
 */
export function defineLists<T>(columns: Record<string, ListColumn<T>>): ListsDefinition<T> {
  const names = Object.keys(columns).join(', ')
  const places = Object.values(columns)
  return {
    columns: names,
    unnest(first = 1, alias = 'v') {
      const parameters = places.map(({ type }, i) => `$${first + i}::${type}[]`).join(', ')
      return `unnest(${parameters}) AS ${alias} (${names})`
    },
    lists: (items) =>
      places.map(({ of, isText }) => {
        const values = items.map(of)
        return isText ? binaryList('text', values as (string | null)[]) : values
      }),
  }
}
