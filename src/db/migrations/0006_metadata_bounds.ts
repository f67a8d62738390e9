import type { Migration } from './migration.ts'

/** What keeps huge documents from making huge pages, and the order of due tokens exact where many are due at one time. */
export const metadataBounds: Migration = {
  id: 6,
  name: 'metadata_bounds',
  sql: `
-- Most characters that the metadata of one of its tokens ever took in a record; never lowered.
ALTER TABLE collection ADD COLUMN metadata_longest integer NOT NULL DEFAULT 0;
UPDATE collection c SET metadata_longest = m.longest FROM (
  SELECT partition, collection_id, max(octet_length(record) + coalesce(octet_length(normalized), 0) + coalesce(octet_length(media_url), 0)) AS longest
  FROM token_metadata GROUP BY partition, collection_id
) m WHERE c.partition = m.partition AND c.id = m.collection_id;

-- With the hash every lookup of a token is exact: without statistics the planner takes this index as readily as the key.
DROP INDEX metadata_due_order;
CREATE INDEX metadata_due_order ON metadata_due (partition, collection_id, due_at, token_hash);
`,
}
