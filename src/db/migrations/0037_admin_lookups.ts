import type { Migration } from './migration.ts'

/** What the admin routes ask of collections and coins, at a cost that does not grow with how many there are. */
export const adminLookups: Migration = {
  id: 37,
  name: 'admin_lookups',
  sql: `
-- Collections that were removed, while rows of theirs are left in other tables.
CREATE TABLE collection_removal (
  partition smallint NOT NULL,
  id bigint NOT NULL,
  noted_at timestamptz NOT NULL DEFAULT now(),
  -- From when on a server removes what is left: later while a command is about it.
  due_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (partition, id)
);

-- How fast history is read, lately: see nft/readingRate.ts.
ALTER TABLE collection
  ADD COLUMN covered_at timestamptz,
  ADD COLUMN recent_blocks double precision NOT NULL DEFAULT 0,
  ADD COLUMN recent_seconds double precision NOT NULL DEFAULT 0;

-- The order of lists.
CREATE INDEX collection_place ON collection (chain_id, address);
-- How names begin, in lower case: see nft/searchCollections.ts.
CREATE INDEX collection_name ON collection (lower(left(name, 100)) text_pattern_ops) WHERE name IS NOT NULL;
-- How names and symbols of coins begin, as JSON writes them: see coin/searchCoins.ts.
CREATE INDEX coin_name ON coin (
  lower(left(split_part(split_part(record, ',"name":"', 2), '","supply_aggregator_table_handle":', 1), 100)) text_pattern_ops);
CREATE INDEX coin_symbol ON coin (
  lower(left(split_part(split_part(record, ',"symbol":"', 2), '","transaction_created_timestamp":', 1), 100)) text_pattern_ops);
`,
}
