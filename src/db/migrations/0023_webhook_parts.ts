import type { Migration } from './migration.ts'

/** Webhooks of a block that would be too large are split in parts; a stream may want its webhooks compressed. */
export const webhookParts: Migration = {
  id: 23,
  name: 'webhook_parts',
  sql: `
-- Webhooks are sent compressed.
ALTER TABLE stream ADD COLUMN gzip boolean NOT NULL DEFAULT false;
`,
}
