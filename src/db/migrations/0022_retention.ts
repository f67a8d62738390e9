import type { Migration } from './migration.ts'

/**
 * What is settled is removed after a while. For each stream: counters = webhook_base + rows of the ledger. And a confirmed webhook
 * keeps no copy of the body of its unconfirmed one, from which only the beginning differs.
 */
export const retention: Migration = {
  id: 22,
  name: 'retention',
  sql: `
-- What was removed of a stream; written in the transaction that removes it.
CREATE TABLE webhook_base (
  partition smallint NOT NULL,
  stream_id uuid NOT NULL,
  webhooks bigint NOT NULL,
  delivered bigint NOT NULL,
  failed_for_good bigint NOT NULL,
  dropped bigint NOT NULL,
  -- Of confirmed webhooks.
  logs bigint NOT NULL,
  txs bigint NOT NULL,
  txs_internal bigint NOT NULL,
  -- Attempts, and those of them that got no 2xx.
  attempts bigint NOT NULL,
  failed bigint NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (partition, stream_id)
);

-- The ids of what was removed, so that whoever asks for one is told so; kept for a year.
CREATE TABLE webhook_removed (
  partition smallint NOT NULL,
  stream_id uuid NOT NULL,
  -- Of the first webhook that was removed together.
  position bigint NOT NULL,
  removed_at timestamptz NOT NULL,
  -- 16 bytes each.
  ids bytea NOT NULL,
  PRIMARY KEY (partition, stream_id, position)
);
ALTER TABLE webhook_removed ALTER COLUMN ids SET STORAGE EXTERNAL;

ALTER TABLE webhook_body RENAME TO webhook_text;
ALTER TABLE webhook_text RENAME CONSTRAINT webhook_body_pkey TO webhook_text_pkey;
-- The unconfirmed webhook that has the same body but for its beginning; body is empty then.
ALTER TABLE webhook_text ADD COLUMN same_as bigint;
CREATE INDEX webhook_text_same ON webhook_text (partition, same_as) WHERE same_as IS NOT NULL;

-- The body as first sent, and its length.
CREATE VIEW webhook_body AS
SELECT t.partition, t.position,
  CASE WHEN t.same_as IS NULL THEN t.body ELSE (SELECT '{"confirmed":true' || substr(o.body, 19) FROM webhook_text o
    WHERE o.partition = t.partition AND o.position = t.same_as) END AS body,
  CASE WHEN t.same_as IS NULL THEN octet_length(t.body) ELSE (SELECT octet_length(o.body) - 1 FROM webhook_text o
    WHERE o.partition = t.partition AND o.position = t.same_as) END AS bytes
FROM webhook_text t;
`,
}
