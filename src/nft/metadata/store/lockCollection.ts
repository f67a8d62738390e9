import { servedBy } from '../../../sync/served.ts'

/**
 * Whoever changes metadata rows of a collection locks it first, and of several all of them in the same order, so that no two can
 * wait for each other.
 */
export const lockCollection = 'SELECT 1 FROM collection WHERE partition = $1 AND id = $2 FOR UPDATE'

/** The same for worker $3, who reads it; no row: it is another worker's. */
export const lockServedCollection = `
SELECT 1 FROM collection WHERE partition = $1 AND id = $2 AND ${servedBy('$1', 'chain_id', '$3')} FOR UPDATE`

/** The same for all collections that a table, or what stands for one, names by `partition` and `collection_id`. */
export function lockCollections(tokens: string): string {
  return `
SELECT 1 FROM collection c JOIN (SELECT DISTINCT partition, collection_id FROM ${tokens}) t
  ON c.partition = t.partition AND c.id = t.collection_id
ORDER BY c.partition, c.id FOR UPDATE OF c`
}
