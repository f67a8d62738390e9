import type { Migration } from './migration.ts'

/** What servers call their chains, so that commands whose configuration does not know a chain find it by its name too. */
export const chainNames: Migration = {
  id: 35,
  name: 'chain_names',
  sql: `
-- Written by each server when it starts, from its configuration. The twelve known chains have their names in the program.
CREATE TABLE chain_name (
  name text PRIMARY KEY,
  chain_id bigint NOT NULL,
  -- When a server said so last: the newest name of a chain is the one that it is shown by.
  told_at timestamptz NOT NULL DEFAULT now()
);
`,
}
