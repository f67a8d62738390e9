import type { Migration } from './migration.ts'

/**
 * What tells apart things of one name: a chain and the one that was started in its place, a process that is configured for a
 * chain and one that is not.
 */
export const identity: Migration = {
  id: 11,
  name: 'identity',
  sql: `
ALTER TABLE chain
  -- Another number for a row that was made anew, so that those who worked with the old one notice.
  ADD COLUMN generation bigint GENERATED ALWAYS AS IDENTITY,
  -- When a node last showed a head that joins what is stored, by the clock of the database.
  ADD COLUMN confirmed_at timestamptz NOT NULL DEFAULT now(),
  -- Nothing of the chain is called synced while confirmed_at is older; null: no program said so yet.
  ADD COLUMN max_head_age_ms integer;

-- Hashes of a few final blocks of each chain, kept for ever: every node of the chain has to have the same.
CREATE TABLE chain_mark (
  chain_id bigint NOT NULL,
  number bigint NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (chain_id, number)
);

-- The keys of leases that a worker is able to take, as texts by kind: {"chain": ["1", "137"]}; null: all of its kinds.
ALTER TABLE worker ADD COLUMN takes jsonb;
`,
}
