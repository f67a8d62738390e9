import type { Migration } from './migration.ts'

/** What following reads every second or every block is found by an index, whatever other chains and collections there are. */
export const following: Migration = {
  id: 15,
  name: 'following',
  sql: `
-- The chain of the collection: every block of a chain forgets what cannot be undone any more, and only its own.
ALTER TABLE token_undo ADD COLUMN chain_id bigint;
UPDATE token_undo u SET chain_id = c.chain_id FROM collection c WHERE c.partition = u.partition AND c.id = u.collection_id;
DELETE FROM token_undo WHERE chain_id IS NULL;
ALTER TABLE token_undo ALTER COLUMN chain_id SET NOT NULL;
CREATE INDEX token_undo_chain ON token_undo (chain_id, block_number);
`,
}
