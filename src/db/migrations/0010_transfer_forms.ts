import type { Migration } from './migration.ts'

/** Transfers that name a token id without indexing it; what was decided without looking at them is decided again. */
export const transferForms: Migration = {
  id: 10,
  name: 'transfer_forms',
  sql: `
-- ERC-721: Transfers with two indexed addresses name a token id in their data; else such logs are of coins.
ALTER TABLE collection ADD COLUMN id_in_data boolean NOT NULL DEFAULT false;

UPDATE collection c SET status = 'queued', standard = NULL, coverage = '{}', to_block = NULL, reason = NULL, retry_at = NULL,
  attempts = 0, version = version + 1
WHERE status IN ('live', 'syncing', 'failed') AND standard = 'ERC721'
  AND NOT EXISTS (SELECT FROM transfer t WHERE t.partition = c.partition AND t.collection_id = c.id);
DELETE FROM collection WHERE status = 'none';
`,
}
