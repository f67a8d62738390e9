import type { Migration } from './migration.ts'

/** A preview whose files were removed to make room is asked for by the hash of its source, and made again. */
export const mediaByHash: Migration = {
  id: 30,
  name: 'media_by_hash',
  sql: 'CREATE INDEX media_parent ON media USING hash (parent_hash) WHERE parent_hash IS NOT NULL;',
}
