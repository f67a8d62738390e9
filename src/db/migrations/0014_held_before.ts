import type { Migration } from './migration.ts'

/** Lets a merge count holders from the balances that it writes; reading them beforehand took a third of its time. */
export const heldBefore: Migration = {
  id: 14,
  name: 'held_before',
  sql: `
-- Whether it was above zero before the last merge that changed it; of no meaning to anything else.
ALTER TABLE balance ADD COLUMN was_held boolean NOT NULL DEFAULT false;
`,
}
