import type { Migration } from './migration.ts'

/** Addresses that a stream gets after its history began have theirs read apart, and none gets it twice. */
export const streamAdditions: Migration = {
  id: 25,
  name: 'stream_additions',
  sql: `
-- Its owner asked for history (fromBlocks): addresses that it gets later have theirs from from_block on, too.
ALTER TABLE stream_chain ADD COLUMN asked boolean NOT NULL DEFAULT false;
UPDATE stream_chain SET asked = true WHERE waiting;

ALTER TABLE stream_address
  -- It is not watched any more, and stands here because its history was told.
  ADD COLUMN removed boolean NOT NULL DEFAULT false,
  -- It was removed for a while.
  ADD COLUMN returned boolean NOT NULL DEFAULT false;

-- Addresses whose history is still to be read, in the order in which they were added.
CREATE TABLE stream_addition (
  partition smallint NOT NULL,
  stream_id uuid NOT NULL,
  chain_id bigint NOT NULL,
  number bigint GENERATED ALWAYS AS IDENTITY,
  -- First block that is not read.
  next_block bigint NOT NULL,
  -- First block in which the stream itself matches them.
  to_block bigint NOT NULL,
  -- 20 bytes each.
  addresses bytea NOT NULL,
  failure text,
  failing_since timestamptz,
  retry_at timestamptz,
  PRIMARY KEY (partition, stream_id, chain_id, number)
);
`,
}
