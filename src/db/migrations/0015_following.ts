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

-- What is looked for every second is found in the order in which it has its turn, past whatever rests.
DROP INDEX collection_due;
CREATE INDEX collection_due ON collection (chain_id, (greatest(turn_at, retry_at))) WHERE status IN ('queued', 'syncing', 'failed');
DROP INDEX collection_unswept;
CREATE INDEX collection_unswept ON collection ((coalesce(metadata_swept_at, '-infinity'))) WHERE metadata_unswept AND status = 'live';
CREATE INDEX collection_unassessed ON collection ((coalesce(assessed_at, '-infinity'))) WHERE status = 'live';
-- Counted once a minute, without the rows.
CREATE INDEX collection_status ON collection (status);
`,
}
