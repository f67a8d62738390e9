import type { Migration } from './migration.ts'

/**
 * What the lists of webhooks and attempts, and replays of a range, are found by, however many webhooks there are. The status of a
 * webhook is in no index of `webhook`: settling it would have to write all of its indexes anew.
 */
export const historyLists: Migration = {
  id: 19,
  name: 'history_lists',
  sql: `
-- Webhooks in status failed or dropped.
CREATE TABLE webhook_undelivered (
  partition smallint NOT NULL,
  stream_id uuid NOT NULL,
  status text NOT NULL CHECK (status IN ('failed', 'dropped')),
  position bigint NOT NULL,
  since timestamptz NOT NULL,
  PRIMARY KEY (partition, stream_id, status, position)
);
INSERT INTO webhook_undelivered (partition, stream_id, status, position, since)
SELECT partition, stream_id, status, position, coalesce(
  (SELECT max(at) FROM webhook_attempt a WHERE a.partition = w.partition AND a.position = w.position), created_at)
FROM webhook w WHERE status IN ('failed', 'dropped');
CREATE INDEX webhook_undelivered_latest ON webhook_undelivered (status, position);

-- Of a stream, for replays of a range; a reorganisation looks up every stream of its chain.
DROP INDEX webhook_block;
CREATE INDEX webhook_block ON webhook (partition, stream_id, chain_id, block_number, position);

-- Of a stream; the latest of all streams are among the latest of each.
DROP INDEX webhook_attempt_latest;
CREATE INDEX webhook_attempt_stream ON webhook_attempt (partition, stream_id, at);

-- Rows of webhook_attempt, those of replays among them.
ALTER TABLE webhook_delivered ADD COLUMN attempts bigint NOT NULL DEFAULT 0;
UPDATE webhook_delivered d SET attempts = a.attempts
FROM (SELECT partition, stream_id, count(*) AS attempts FROM webhook_attempt GROUP BY 1, 2) a
WHERE a.partition = d.partition AND a.stream_id = d.stream_id;

-- Webhooks of a stream that are sent again, a batch after the other.
CREATE TABLE range_replay (
  partition smallint NOT NULL,
  id uuid NOT NULL,
  stream_id uuid NOT NULL,
  -- What is sent again; null: any.
  chain_id bigint,
  from_block bigint,
  to_block bigint,
  webhook_status text CHECK (webhook_status IN ('pending', 'delivered', 'failed', 'dropped')),
  -- Positions that are looked at, and the next one; last_position is of the moment at which it was asked for.
  first_position bigint NOT NULL,
  next_position bigint NOT NULL,
  last_position bigint NOT NULL,
  -- How many were queued so far.
  replayed bigint NOT NULL DEFAULT 0,
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'done', 'stopped')),
  -- Why it stopped.
  message text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (partition, id)
);
CREATE INDEX range_replay_running ON range_replay (partition) WHERE status = 'running';
`,
}
