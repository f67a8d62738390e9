import type { Migration } from './migration.ts'

/** A stream that the nodes of a chain cannot serve waits in history, and is tried again ever less often. */
export const streamRetries: Migration = {
  id: 17,
  name: 'stream_retries',
  sql: `
ALTER TABLE stream_chain
  -- Since when its history fails; null: it does not.
  ADD COLUMN failing_since timestamptz,
  -- It is not tried before.
  ADD COLUMN retry_at timestamptz;
`,
}
