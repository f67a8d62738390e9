import type { Migration } from './migration.ts'

/**
 * Media of any length that stands in a document has a preview, and is stored once: in the document. What a block said of documents
 * is undone with it. Counts of traits that no token has are kept no more, and what is removed of a token's history is counted.
 */
export const documents: Migration = {
  id: 33,
  name: 'documents',
  sql: `
-- The token whose document holds the data: URI that url is the header of; null: url is all of it. As before url_hash is the
-- md5 of the whole, and so is media_hash of token_metadata.
ALTER TABLE media ADD COLUMN token_hash uuid;

-- What a block that can still be undone said of documents.
CREATE TABLE metadata_undo (
  partition smallint NOT NULL,
  collection_id bigint NOT NULL,
  chain_id bigint NOT NULL,
  block_number bigint NOT NULL,
  -- Tokens whose documents changed.
  tokens uuid[] NOT NULL DEFAULT '{}',
  -- Ids of others, as in metadata_stale of collection.
  ids nummultirange NOT NULL DEFAULT '{}',
  PRIMARY KEY (partition, collection_id, block_number)
);
CREATE INDEX metadata_undo_chain ON metadata_undo (chain_id, block_number);

DELETE FROM trait_count WHERE tokens <= 0;

-- How many older ones of the token were removed, in the oldest that is kept.
ALTER TABLE token_document ADD COLUMN dropped integer NOT NULL DEFAULT 0;
`,
}
