import type { Migration } from './migration.ts'

/** What an operator changes of a chain beside running servers: whether it is read at all, and which of its collections are gone. */
export const chainPauses: Migration = {
  id: 39,
  name: 'chain_pauses',
  sql: `
-- Chains that nothing is read of until they are resumed. Not in the chain's row, which a reset makes anew and which a chain that was
-- never reached has not.
CREATE TABLE chain_pause (
  chain_id bigint PRIMARY KEY,
  paused_at timestamptz NOT NULL DEFAULT now()
);

-- Another number where a collection that may be followed was removed: whoever follows the chain loads its collections anew.
ALTER TABLE chain ADD COLUMN revision bigint NOT NULL DEFAULT 0;
`,
}
