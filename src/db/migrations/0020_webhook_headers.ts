import type { Migration } from './migration.ts'

/** Headers that a stream's owner wants with every webhook. Their values are secrets, as `webhook_secret` is. */
export const webhookHeaders: Migration = {
  id: 20,
  name: 'webhook_headers',
  sql: `
-- {name: value}, names in lower case.
ALTER TABLE stream ADD COLUMN headers json NOT NULL DEFAULT '{}';
`,
}
