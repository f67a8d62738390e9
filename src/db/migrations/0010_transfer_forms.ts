import type { Migration } from './migration.ts'

/**
 * Transfers that name a token id without indexing it; what was decided without looking at them is decided again. What is left
 * out of a collection, and the counts that decide it.
 */
export const transferForms: Migration = {
  id: 10,
  name: 'transfer_forms',
  sql: `
ALTER TABLE collection
  -- ERC-721: Transfers with two indexed addresses name a token id in their data; else such logs are of coins.
  ADD COLUMN id_in_data boolean NOT NULL DEFAULT false,
  -- Its rows in token, those of burned tokens too; null: not counted since the last change.
  ADD COLUMN token_rows bigint,
  -- Tokens that ConsecutiveTransfers moved beyond the first one of each: rows of transfer with an item above 0, and what
  -- left_out has of them.
  ADD COLUMN range_moves bigint NOT NULL DEFAULT 0,
  -- What left_out comes to: logs that name too many tokens, and transfers beyond sync.maxTokens.
  ADD COLUMN wide_logs bigint NOT NULL DEFAULT 0,
  ADD COLUMN surplus_transfers bigint NOT NULL DEFAULT 0;

-- A log of which something is left out.
CREATE TABLE left_out (
  partition smallint NOT NULL,
  collection_id bigint NOT NULL,
  position bigint NOT NULL,
  chain_id bigint NOT NULL,
  -- wide: it names more tokens than one log may; surplus: it moves tokens beyond sync.maxTokens.
  reason text NOT NULL CHECK (reason IN ('wide', 'surplus')),
  -- What was left out of it.
  transfers numeric NOT NULL,
  -- Of these, those that count in collection.range_moves.
  range_moves bigint NOT NULL,
  transaction_hash bytea NOT NULL,
  PRIMARY KEY (partition, collection_id, position)
);
CREATE INDEX left_out_chain ON left_out (chain_id, position);

UPDATE collection c SET status = 'queued', standard = NULL, coverage = '{}', to_block = NULL, reason = NULL, retry_at = NULL,
  attempts = 0, version = version + 1
WHERE status IN ('live', 'syncing', 'failed') AND standard = 'ERC721'
  AND NOT EXISTS (SELECT FROM transfer t WHERE t.partition = c.partition AND t.collection_id = c.id);
DELETE FROM collection WHERE status = 'none';
`,
}
