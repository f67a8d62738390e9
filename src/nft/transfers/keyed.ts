/** Rows `row` of a table of a collection. `key`: the lookup column; `columns`: of the rows. */
type Keyed = { table: string; row: string; list: string; key?: 'token_hash' | 'trait'; columns?: string }

/**
 * SQL of a FROM item: the rows of collection $2 in partition $1 whose key is in a list, each looked up by its key. A duplicate in the list returns
 * its row twice.
 * `key = ANY (list)` is not enough: PostgreSQL before 17 may plan it as a filter over an index scan of the leading columns, if it expects few rows
 * there. It only knows the average size of a collection, so it read all 100,000 tokens of a large one for each page (80 ms). LIMIT forces lookups.
 */
export function keyed({ table, row, list, key = 'token_hash', columns = `${row}.*` }: Keyed): string {
  return `unnest(${list}) AS k (key) CROSS JOIN LATERAL (
  SELECT ${columns} FROM ${table} ${row} WHERE ${row}.partition = $1 AND ${row}.collection_id = $2 AND ${row}.${key} = k.key LIMIT 1
) ${row}`
}

/** SQL of a list's unique values in ascending order, as a list. */
export const distinct = (list: string) => `ARRAY(SELECT DISTINCT u FROM unnest(${list}) AS u ORDER BY u)`

/** Statement: the tokens with hashes $3 that a table has for collection $2 in partition $1, as 32 hex digits. */
export const selectHashesIn = (table: string) => `
SELECT replace(t.token_hash::text, '-', '') FROM ${keyed({ table, row: 't', list: '$3::uuid[]', columns: 't.token_hash' })}`
