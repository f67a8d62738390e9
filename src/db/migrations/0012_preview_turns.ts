import type { Migration } from './migration.ts'

/** Previews: whose turn it is, and what is known of bytes that cost much. */
export const previewTurns: Migration = {
  id: 12,
  name: 'preview_turns',
  sql: `
-- Collections whose previews were asked for.
CREATE TABLE media_turn (
  partition smallint NOT NULL,
  collection_id bigint NOT NULL,
  -- The earliest of its rows in media, or an earlier time; null: none is due.
  due_at timestamptz DEFAULT now(),
  -- When some of its previews were begun last: the one that waited longest is next.
  turn_at timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (partition, collection_id)
);
CREATE INDEX media_turn_due ON media_turn (partition, due_at) WHERE due_at IS NOT NULL;
INSERT INTO media_turn (partition, collection_id, due_at)
SELECT partition, collection_id, min(due_at) FROM media WHERE due_at IS NOT NULL GROUP BY partition, collection_id;

DROP INDEX media_due;
CREATE INDEX media_due ON media (partition, collection_id, due_at) WHERE due_at IS NOT NULL;

-- What came of bytes that held a preview worker for long or ended it, whatever address they came from.
CREATE TABLE media_source (
  -- The first byte of the hash.
  partition smallint NOT NULL,
  -- SHA-256.
  source_hash bytea NOT NULL,
  -- As in media; a worker was ended by them: temporarily_unavailable after the first try, unsupported_media after the second.
  status text NOT NULL,
  mimetype text,
  category text,
  sizes text,
  -- When they may be tried again; null: never.
  retry_at timestamptz,
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (partition, source_hash)
);
`,
}
