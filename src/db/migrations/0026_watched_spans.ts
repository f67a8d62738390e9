import type { Migration } from './migration.ts'

/** What addresses told before they were removed is known by the blocks, so that addresses which come later do not tell it again. */
export const watchedSpans: Migration = {
  id: 26,
  name: 'watched_spans',
  sql: `
-- Blocks in which a stream with history watched an address that was removed: a row for each time. Those that were never removed
-- are not here.
CREATE TABLE stream_watched (
  partition smallint NOT NULL,
  stream_id uuid NOT NULL,
  chain_id bigint NOT NULL,
  address bytea NOT NULL,
  from_block bigint NOT NULL,
  -- First block in which it was not watched; null: it is watched again.
  until_block bigint,
  PRIMARY KEY (partition, stream_id, chain_id, address, from_block)
);

-- Of those that were away before nothing is known.
INSERT INTO stream_watched (partition, stream_id, chain_id, address, from_block, until_block)
SELECT a.partition, a.stream_id, s.chain_id, a.address, 0, 0 FROM stream_address a JOIN stream_chain s USING (partition, stream_id)
WHERE s.asked AND (a.removed OR a.returned);
ALTER TABLE stream_address DROP COLUMN returned;
`,
}
