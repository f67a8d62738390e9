import { sameToken } from '../../transfers/tokenHash.ts'

/** Maximum number of former versions of one token's metadata. */
export const mostKept = 99

/** Maximum bytes of these versions, token URIs included. */
const mostKeptBytes = 16_777_216

/**
 * SQL that deletes former metadata beyond either limit, oldest first, of the tokens in a staging table. Adds their number to the oldest remaining
 * version. A token may return different metadata at every read, such as with the time in it. The newest version always stays, as it is within the
 * limits. PostgreSQL knows a length without reading the text.
 */
export const dropOldest = (stage: string) => `
WITH ranked AS MATERIALIZED (
  SELECT d.partition, d.collection_id, d.token_hash, d.until,
    row_number() OVER w > ${mostKept} OR sum(octet_length(d.record)) OVER w > ${mostKeptBytes} AS beyond
  FROM token_document d JOIN (SELECT DISTINCT partition, collection_id, token_hash FROM ${stage}) s ON ${sameToken('d', 's')}
  WINDOW w AS (PARTITION BY d.partition, d.collection_id, d.token_hash ORDER BY d.until DESC)
), gone AS (
  DELETE FROM token_document d USING ranked r WHERE ${sameToken('d', 'r')} AND d.until = r.until AND r.beyond
  RETURNING d.partition, d.collection_id, d.token_hash, d.dropped
)
UPDATE token_document d SET dropped = d.dropped + g.documents
FROM (
  SELECT partition, collection_id, token_hash, count(*) + sum(dropped) AS documents FROM gone
  GROUP BY partition, collection_id, token_hash
) g JOIN (
  SELECT partition, collection_id, token_hash, min(until) AS until FROM ranked WHERE NOT beyond
  GROUP BY partition, collection_id, token_hash
) o ON ${sameToken('o', 'g')}
WHERE ${sameToken('d', 'g')} AND d.until = o.until`
