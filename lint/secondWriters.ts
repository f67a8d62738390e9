/**
 * The rooms that write a table besides its owner (`Owner:` in `src/db/schema/`), and why. `at`: a folder or file of `src/`;
 * `tables`: their names, or * for statements whose table is only known when they run.
 */
export const secondWriters: readonly { at: string; tables: string; why: string }[] = [
  {
    at: 'db/backup',
    tables: 'process',
    why: 'those who served the saved database do not serve the restored one',
  },
  {
    at: 'nft/metadata/store',
    tables: 'collection',
    why: 'metadata_*, traits_version and version change in the statements that change the metadata of tokens',
  },
  {
    at: 'nft/spam',
    tables: 'collection',
    why: 'the verdict (spam_*, possible_spam, verified*, assessed_at) stands in the row that pages read',
  },
  {
    at: 'nft/rarity',
    tables: 'collection',
    why: 'when ranks were asked for and what they are of stands in the row that pages read, whose version a ranking raises',
  },
  {
    at: 'nft/blocks',
    tables: 'transfer',
    why: 'the time of a block is noted when somebody first asks for it, long after its transfers were stored',
  },
  {
    at: 'nft/collection',
    tables: 'collection',
    why: 'raiseVersion raises the version for what is stored in another table, also for rooms that nft/store itself imports',
  },
  {
    at: 'nft/media',
    tables: 'collection',
    why: 'a preview that is ready raises the version of its collection in the statement that stores it',
  },
  {
    at: 'stream/delivery',
    tables: 'stream webhook_delivered',
    why: 'what a receiver answers stops a stream, has it probed and resumes it, in the transaction that settles the attempt',
  },
  { at: 'stream/settings', tables: 'stream', why: 'a new secret replaces the old one in the row of the stream' },
  { at: 'api/pages', tables: 'setting', why: "the secret that cursors are signed with is the API's own" },
  {
    at: 'nft/store/removals.ts',
    tables: '*',
    why: 'the rows of a removed collection are deleted from every table that has a collection_id',
  },
  { at: 'db/stages/stages.ts', tables: '*', why: 'a stage that is not in use is truncated once it is large' },
  { at: 'db/backup/restoreBackup.ts', tables: '*', why: 'restoring fills every table' },
  { at: 'db/backup/restoreBackup.ts', tables: 'console_session', why: 'a restored database has no sessions' },
]
