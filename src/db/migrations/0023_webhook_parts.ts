import type { Migration } from './migration.ts'

/** Webhooks of a block that would be too large are split in parts; a stream may want its webhooks compressed. */
export const webhookParts: Migration = {
  id: 23,
  name: 'webhook_parts',
  sql: `
-- Webhooks are sent compressed.
ALTER TABLE stream ADD COLUMN gzip boolean NOT NULL DEFAULT false;

-- What a stream matched in a block is one webhook, or several: part 1 of 1 where it is one.
ALTER TABLE webhook ADD COLUMN part integer NOT NULL DEFAULT 1, ADD COLUMN parts integer NOT NULL DEFAULT 1;
ALTER TABLE webhook_queue ADD COLUMN part integer NOT NULL DEFAULT 1, ADD COLUMN parts integer NOT NULL DEFAULT 1;
ALTER TABLE stream_confirmation
  ADD COLUMN part integer NOT NULL DEFAULT 1,
  ADD COLUMN parts integer NOT NULL DEFAULT 1,
  DROP CONSTRAINT stream_confirmation_pkey,
  ADD PRIMARY KEY (partition, stream_id, chain_id, block_number, part);
`,
}
