import { sameToken } from '../../transfers/tokenHash.ts'

/** Documents kept of what a token said before. */
export const mostKept = 99

/** The same in bytes, token URIs among them. */
const mostKeptBytes = 16_777_216

/**
 * SQL that removes the oldest documents of the tokens in a stage, beyond both bounds, and notes their number in the oldest
 * that stays: a token may say something else at every look, as where a time stands in its document. The newest one is within
 * the bounds, as a document and its URI are shorter. Postgres knows a length without reading the text.
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
