import type { Migration } from './migration.ts'

/** How sure the head of a network of coins is, and what of the order of its coins can be kept in memory. */
export const networkHeads: Migration = {
  id: 29,
  name: 'network_heads',
  sql: `
ALTER TABLE coin_network
  -- When a source last showed a head that nothing stored is beyond, by the clock of the database; null: none did yet.
  ADD COLUMN confirmed_at timestamptz,
  -- The network is not called synced while confirmed_at is older; null: no program said so yet.
  ADD COLUMN max_head_age_ms integer,
  -- Raised when coins that were shown change their order, or others come between them; new ones in front leave it as it is.
  ADD COLUMN arrangement bigint NOT NULL DEFAULT 0;
`,
}
