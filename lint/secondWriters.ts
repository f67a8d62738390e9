/**
 * The modules that write a table besides its owner (`Owner:` in `src/db/schema/`), and why. `at`: a folder or file of `src/`;
 * `tables`: their names, or * for statements whose table is only known when they run.
 */
export const secondWriters: readonly { at: string; tables: string; why: string }[] = [
  {
    at: 'db/backup',
    tables: 'process',
    why: 'restoring deletes the processes of the saved database, which do not serve the restored one',
  },
  {
    at: 'nft/metadata/store',
    tables: 'collection',
    why: 'metadata_*, traits_version and version change in the statements that change the metadata of tokens',
  },
  {
    at: 'nft/spam',
    tables: 'collection',
    why: 'the spam status (spam_*, possible_spam, verified*, assessed_*) is in the row that pages read',
  },
  {
    at: 'nft/store/historyQueue.ts',
    tables: '*',
    why: 'collections and wallets share the code of the history queue, and their tables have the same columns for it',
  },
  {
    at: 'nft/rarity',
    tables: 'collection',
    why: 'the request time and the state of the ranks are in the row that pages read, and a ranking raises its version',
  },
  {
    at: 'nft/blocks',
    tables: 'transfer wallet_move wallet_holding',
    why: 'block times are stored at the first request for them, long after the transfers',
  },
  {
    at: 'nft/collection',
    tables: 'collection',
    why: 'raiseVersion raises the version after changes of other tables; modules that nft/store imports use it, too',
  },
  {
    at: 'nft/media',
    tables: 'collection',
    why: 'storing a preview image raises the version of its collection in the same statement',
  },
  {
    at: 'stream/delivery',
    tables: 'stream webhook_delivered',
    why: 'responses of a receiver stop, probe and resume a stream, in the transaction that settles the attempt',
  },
  { at: 'stream/settings', tables: 'stream', why: 'a new secret replaces the old one in the row of the stream' },
  { at: 'api/pages', tables: 'setting', why: 'the API owns the secret that signs cursors' },
  {
    at: 'nft/store/removals.ts',
    tables: '*',
    why: 'the rows of a removed collection are deleted from every table that has a collection_id',
  },
  { at: 'db/staging/stagingTables.ts', tables: '*', why: 'a large unused staging table is truncated' },
  { at: 'db/backup/restoreBackup.ts', tables: '*', why: 'restoring fills every table' },
  { at: 'db/backup/restoreBackup.ts', tables: 'console_session', why: 'a restored database has no sessions' },
]
