import type { Migration } from './migration.ts'

/** What nodes were found to take, so that a restart does not run into the same time limits again. */
export const logWidths: Migration = {
  id: 9,
  name: 'log_widths',
  sql: `
-- Blocks that a node gave the logs of a contract for in one answer, where it does not take the widest range. At most 10,000 rows.
CREATE TABLE log_width (
  chain_id bigint NOT NULL,
  contract bytea NOT NULL,
  -- sha256 of the node's address, which may hold a key.
  endpoint bytea NOT NULL,
  blocks integer NOT NULL,
  worked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (chain_id, contract, endpoint)
);
CREATE INDEX log_width_worked ON log_width (worked_at);
`,
}
