import type { Migration } from './migration.ts'

/** What is asked for again is kept by ids, and is read before what nobody asked for. */
export const metadataAsked: Migration = {
  id: 32,
  name: 'metadata_asked',
  sql: `
-- Ids whose metadata is to be read again: the next sweep makes them due. Whole numbers from each lower bound to below the upper one.
ALTER TABLE collection ADD COLUMN metadata_stale nummultirange NOT NULL DEFAULT '{}';
-- Those that the sweep under way makes due.
ALTER TABLE collection ADD COLUMN metadata_sweeping nummultirange NOT NULL DEFAULT '{}';
-- When a client last asked for all of its metadata; what its contract announces does not count.
ALTER TABLE collection ADD COLUMN metadata_asked_at timestamptz;
-- The hash that the sweep under way came to; null: none is under way.
ALTER TABLE collection ADD COLUMN metadata_swept_to uuid;
UPDATE collection SET metadata_stale = '{(,)}' WHERE metadata_unswept AND metadata_refresh_at IS NOT NULL;
ALTER TABLE collection DROP COLUMN metadata_refresh_at;

-- Who asked for it, the greatest first: see nft/metadata/duePriority.ts.
ALTER TABLE metadata_due ADD COLUMN priority smallint NOT NULL DEFAULT 0;
DROP INDEX metadata_due_order;
CREATE INDEX metadata_due_order ON metadata_due (partition, collection_id, priority, due_at, token_hash);
`,
}
