/**
 * SQL of a FROM item: the rows of `from`, a table and its alias, that meet `where` and whose column `key` is in a list, each looked up
 * by its key alone. A value that the list names twice gives its row twice. The columns of the row are those in `columns`.
 *
 * `key = ANY (list)` says less: PostgreSQL before 17 also plans it as a filter of what is found by the columns that stand before the key in
 * the index, and does so where it thinks that these have few rows. It knows no more than how many rows a collection has on average, so
 * it read all 100,000 tokens of a large one for each page (80 ms). LIMIT keeps it to a lookup.
 */
export function keyed(options: { list: string; from: string; where: string; key: string; columns?: string }): string {
  const { list, from, where, key, columns = '*' } = options
  return `unnest(${list}) AS k (key) CROSS JOIN LATERAL (SELECT ${columns} FROM ${from} WHERE ${where} AND ${key} = k.key LIMIT 1)`
}

/** SQL of the values of a list, each once and in ascending order, as a list. */
export const distinct = (list: string) => `ARRAY(SELECT DISTINCT u FROM unnest(${list}) AS u ORDER BY u)`
