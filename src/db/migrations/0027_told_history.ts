import type { Migration } from './migration.ts'

/** From which block on a stream was told of an address, and which chains it left: what it was told is not told again as history. */
export const toldHistory: Migration = {
  id: 27,
  name: 'told_history',
  sql: `
ALTER TABLE stream
  -- Chains that it was on, and left.
  ADD COLUMN left_chains bigint[] NOT NULL DEFAULT '{}';

-- Blocks from which on a stream has, or will have, what some of its addresses give.
CREATE TABLE stream_since (
  partition smallint NOT NULL,
  stream_id uuid NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY,
  chain_ids bigint[] NOT NULL,
  -- In the order of chain_ids.
  from_blocks bigint[] NOT NULL,
  PRIMARY KEY (partition, stream_id, number)
);
ALTER TABLE stream_address
  -- Its number; null, and of chains that are not named there: from the block on which the stream itself begins.
  ADD COLUMN since bigint;
`,
}
