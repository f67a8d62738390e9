import type { Migration } from './migration.ts'

/** What a stream was told of a chain that it left is not told again as history. */
export const chainsLeft: Migration = {
  id: 28,
  name: 'chains_left',
  sql: `
ALTER TABLE stream
  -- Chains that it was on, and left.
  ADD COLUMN left_chains bigint[] NOT NULL DEFAULT '{}';
`,
}
