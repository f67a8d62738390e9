import type { Migration } from './migration.ts'

/** What operators do beside running servers, and look at: chains that are not read, collections that are gone, keys that are in use. */
export const operators: Migration = {
  id: 36,
  name: 'operators',
  sql: `
-- Chains that nothing is read of until they are resumed. Not in the chain's row, which a reset makes anew and which a chain that was
-- never reached has not.
CREATE TABLE chain_pause (
  chain_id bigint PRIMARY KEY,
  paused_at timestamptz NOT NULL DEFAULT now()
);

-- Another number where a collection that may be followed was removed: whoever follows the chain loads its collections anew.
ALTER TABLE chain ADD COLUMN revision bigint NOT NULL DEFAULT 0;

-- When a request came with the key last, to the minute; null: never, or before this was noted.
ALTER TABLE api_key ADD COLUMN last_used_at timestamptz;
`,
}
