import type { Migration } from './migration.ts'

/** Media of any length that stands in a document has a preview, and is stored once: in the document. */
export const documents: Migration = {
  id: 34,
  name: 'documents',
  sql: `
-- The token whose document holds the data: URI that url is the header of; null: url is all of it. As before url_hash is the
-- md5 of the whole, and so is media_hash of token_metadata.
ALTER TABLE media ADD COLUMN token_hash uuid;
`,
}
