import type { Migration } from './migration.ts'

/**
 * What a page shows of a document is read as it stands. Rows that are there already are read as before, with more work for
 * each page, until their documents are stored anew; so this takes no time however many they are.
 */
export const readyTexts: Migration = {
  id: 13,
  name: 'ready_texts',
  sql: `
-- Rows of up to 8 kB are kept as they are, neither compressed nor apart, so a page decompresses nothing.
ALTER TABLE token_metadata SET (toast_tuple_target = 8160);
ALTER TABLE token_metadata
  -- normalized holds a slot, U+001F and the trait's key as 32 hex digits, for each count; false: "trait_count":null there.
  ADD COLUMN slotted boolean NOT NULL DEFAULT false,
  -- md5 of media_url; null in rows of before.
  ADD COLUMN media_hash uuid;

-- media of a record as JSON text, U+001D before each path on this server; null: it is made of the other columns.
ALTER TABLE media ADD COLUMN ready text;

-- Raised by every change of a trait's count.
ALTER TABLE collection ADD COLUMN traits_version bigint NOT NULL DEFAULT 0;
`,
}
