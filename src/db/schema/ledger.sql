-- The ledger of webhooks: every webhook, pending deliveries, every attempt, and the counters of both sides. Matching writes
-- webhook_matched, delivery writes webhook_delivered, so neither waits for the other. For each stream:
-- matched = delivered + failed_for_good + dropped (of both sides) + rows of webhook_queue without replays,
-- and counters = webhook_base + rows of the ledger.

-- The order of first attempts within a stream and chain.
CREATE SEQUENCE webhook_position;

-- A pending or settled webhook. Settled ones are deleted after the retention time, and counted in webhook_base.
-- Owner: stream/ledger
CREATE TABLE webhook (
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- Its number of webhook_position.
  position bigint NOT NULL,
  -- The stream.
  stream_id uuid NOT NULL,
  -- The chain.
  chain_id bigint NOT NULL,
  -- The number of the block that was matched.
  block_number bigint NOT NULL,
  -- The hash of that block.
  block_hash bytea NOT NULL,
  -- unconfirmed or confirmed: matches of the block; retraction: a reorg removed the block.
  kind text NOT NULL CHECK (kind IN ('unconfirmed', 'confirmed', 'retraction')),
  -- The header webhook-id: see stream/ledger/webhookId.ts.
  id uuid NOT NULL,
  -- How often this block was retracted before.
  flips integer NOT NULL,
  -- It is of a block at the head, not of history.
  live boolean NOT NULL,
  -- Logs in it.
  logs integer NOT NULL,
  -- Transactions in it.
  txs integer NOT NULL,
  -- Internal transactions in it.
  txs_internal integer NOT NULL,
  -- Its status. No index contains it, because settling a webhook would then write every index.
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed', 'dropped')),
  -- Why it was dropped.
  reason text,
  -- A reorg removed its block, and a retraction was enqueued.
  retracted boolean NOT NULL DEFAULT false,
  -- Number of requested replays.
  replays integer NOT NULL DEFAULT 0,
  -- When it was enqueued.
  created_at timestamptz NOT NULL,
  -- Number of the part of the block's matches, from 1.
  part integer NOT NULL DEFAULT 1,
  -- Number of parts: several if one webhook would be too large.
  parts integer NOT NULL DEFAULT 1,
  PRIMARY KEY (partition, position)
-- Half of each page is free for the row versions that settling writes (HOT updates). On a full page they would need another page and new
-- entries in all indexes. This takes 2 % more disk for webhooks of 2 kB and halves the time of settling.
) WITH (fillfactor = 50);
-- Webhooks are looked up by id.
CREATE UNIQUE INDEX webhook_id ON webhook (partition, id);
-- Replays of a range of blocks; a reorg looks up every stream of its chain.
CREATE INDEX webhook_block ON webhook (partition, stream_id, chain_id, block_number, position);
-- The list of all webhooks, the latest first.
CREATE INDEX webhook_latest ON webhook (position);
-- The list of a stream's webhooks.
CREATE INDEX webhook_stream ON webhook (partition, stream_id, position);
-- Finds how often a block was retracted.
CREATE INDEX webhook_retraction ON webhook (partition, stream_id, chain_id, block_hash) WHERE kind = 'retraction';

-- The body of a webhook, in a separate row, so that settling never rewrites it.
-- Owner: stream/ledger
CREATE TABLE webhook_text (
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- The webhook.
  position bigint NOT NULL,
  -- The body as first sent; empty if same_as is set.
  body text NOT NULL,
  -- The unconfirmed webhook with the same body except for its beginning; null: body is complete.
  same_as bigint,
  PRIMARY KEY (partition, position)
);
-- Finds the confirmed webhook that needs an unconfirmed one's body.
CREATE INDEX webhook_text_same ON webhook_text (partition, same_as) WHERE same_as IS NOT NULL;
-- lz4 takes a third of pglz's time for the same size. A server without lz4 keeps pglz.
DO $$ BEGIN
  ALTER TABLE webhook_text ALTER COLUMN body SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;

-- The body of each webhook as first sent, and its length.
CREATE VIEW webhook_body AS
SELECT t.partition, t.position,
  CASE WHEN t.same_as IS NULL THEN t.body ELSE (SELECT '{"confirmed":true' || substr(o.body, 19) FROM webhook_text o
    WHERE o.partition = t.partition AND o.position = t.same_as) END AS body,
  CASE WHEN t.same_as IS NULL THEN octet_length(t.body) ELSE (SELECT octet_length(o.body) - 1 FROM webhook_text o
    WHERE o.partition = t.partition AND o.position = t.same_as) END AS bytes
FROM webhook_text t;

-- A pending delivery.
-- Owner: stream/ledger
CREATE TABLE webhook_queue (
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- The stream.
  stream_id uuid NOT NULL,
  -- The chain.
  chain_id bigint NOT NULL,
  -- The webhook.
  position bigint NOT NULL,
  -- 0: the delivery itself; above: a requested replay.
  replay integer NOT NULL,
  -- The header webhook-id.
  id uuid NOT NULL,
  -- It is of a block at the head, not of history.
  live boolean NOT NULL,
  -- The length of its body.
  body_bytes integer NOT NULL,
  -- Failed attempts of this delivery.
  failures integer NOT NULL DEFAULT 0,
  -- When the next attempt is due; null: the first attempt, in its order.
  due_at timestamptz,
  -- Failed attempts that used up no retry, as the receiver sent Retry-After.
  postponed integer NOT NULL DEFAULT 0,
  -- When the first attempt of this delivery was made; null: not yet.
  first_at timestamptz,
  -- It is a retraction: once it is loaded, older webhooks in memory are not sent again.
  retraction boolean NOT NULL DEFAULT false,
  -- As in webhook.
  part integer NOT NULL DEFAULT 1,
  -- As in webhook.
  parts integer NOT NULL DEFAULT 1,
  PRIMARY KEY (partition, stream_id, chain_id, position, replay)
-- Rows are short-lived: vacuum runs often and without pauses.
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
-- The deliveries of a stream whose next attempt is due.
CREATE INDEX webhook_due ON webhook_queue (partition, stream_id, due_at) WHERE due_at IS NOT NULL;
-- The replays of a stream that were not attempted, in the order of positions.
CREATE INDEX webhook_replay ON webhook_queue (partition, stream_id, position, replay) WHERE due_at IS NULL AND replay > 0;

-- An attempt to deliver a webhook.
-- Owner: stream/ledger
CREATE TABLE webhook_attempt (
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- The webhook.
  position bigint NOT NULL,
  -- Which delivery of it, as in webhook_queue.
  replay integer NOT NULL,
  -- From 1 for each delivery: settling an attempt twice finds its row.
  number integer NOT NULL,
  -- The stream.
  stream_id uuid NOT NULL,
  -- The address that it went to, in webhook_url.
  url_hash bytea NOT NULL,
  -- When it began.
  at timestamptz NOT NULL,
  -- How long it took, in milliseconds.
  ms real NOT NULL,
  -- The receiver returned a 2xx.
  delivered boolean NOT NULL,
  -- The status of the response; null: no response.
  code smallint,
  -- The error, as readable text.
  error text,
  -- The first kilobyte of the response.
  answer bytea,
  PRIMARY KEY (partition, position, replay, number)
);
-- The attempts of a stream, the latest first; the latest of all streams are among the latest of each.
CREATE INDEX webhook_attempt_stream ON webhook_attempt (partition, stream_id, at);

-- Counters of matching. Enqueueing locks the row, so that positions of a stream and chain are committed in their order.
-- Owner: stream/ledger
CREATE TABLE webhook_matched (
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- The stream.
  stream_id uuid NOT NULL,
  -- The chain.
  chain_id bigint NOT NULL,
  -- Webhooks enqueued.
  matched bigint NOT NULL DEFAULT 0,
  -- Webhooks that matching dropped: a reorg removed their blocks before they were sent.
  dropped bigint NOT NULL DEFAULT 0,
  -- Logs of confirmed webhooks.
  logs bigint NOT NULL DEFAULT 0,
  -- Transactions of confirmed webhooks.
  txs bigint NOT NULL DEFAULT 0,
  -- Internal transactions of confirmed webhooks.
  txs_internal bigint NOT NULL DEFAULT 0,
  -- When the row was last written.
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (partition, stream_id, chain_id)
-- Free space on each page for the next version of a row, as rows are updated often.
) WITH (fillfactor = 50);

-- Counters of deliveries, and the state of the stream's receiver.
-- Owner: stream/ledger
CREATE TABLE webhook_delivered (
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- The stream.
  stream_id uuid NOT NULL,
  -- Webhooks delivered.
  delivered bigint NOT NULL DEFAULT 0,
  -- Attempts that got no 2xx.
  failed bigint NOT NULL DEFAULT 0,
  -- Webhooks that failed permanently.
  failed_for_good bigint NOT NULL DEFAULT 0,
  -- Webhooks dropped by delivery; negative if webhooks that matching dropped were delivered.
  dropped bigint NOT NULL DEFAULT 0,
  -- Since when the stream is in error.
  error_at timestamptz,
  -- Webhooks up to here were queued when the stream was last resumed: they do not count against webhooks.maxQueued.
  resumed_position bigint NOT NULL DEFAULT 0,
  -- When the row was created.
  created_at timestamptz NOT NULL,
  -- When the row was last written.
  updated_at timestamptz NOT NULL,
  -- All attempts, with those of replays.
  attempts bigint NOT NULL DEFAULT 0,
  -- While the stream is in error: number of probes.
  probes integer NOT NULL DEFAULT 0,
  -- While the stream is in error: when the next probe is due; null: none is made.
  probe_at timestamptz,
  PRIMARY KEY (partition, stream_id)
-- As webhook_matched.
) WITH (fillfactor = 50);
-- The streams whose probe is due.
CREATE INDEX webhook_probe ON webhook_delivered (probe_at) WHERE probe_at IS NOT NULL;

-- Matched webhooks, by minute and hour.
-- Owner: stream/ledger
CREATE TABLE webhook_matched_span (
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- The stream.
  stream_id uuid NOT NULL,
  -- Length of the span.
  step text NOT NULL CHECK (step IN ('minute', 'hour')),
  -- When it began.
  at timestamptz NOT NULL,
  -- The chain.
  chain_id bigint NOT NULL,
  -- Logs of confirmed webhooks.
  logs bigint NOT NULL,
  -- Transactions of confirmed webhooks.
  txs bigint NOT NULL,
  -- Internal transactions of confirmed webhooks.
  txs_internal bigint NOT NULL,
  PRIMARY KEY (partition, stream_id, step, at, chain_id)
);

-- Delivered webhooks, by minute and hour.
-- Owner: stream/ledger
CREATE TABLE webhook_delivered_span (
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- The stream.
  stream_id uuid NOT NULL,
  -- Length of the span.
  step text NOT NULL CHECK (step IN ('minute', 'hour')),
  -- When it began.
  at timestamptz NOT NULL,
  -- Webhooks delivered.
  delivered bigint NOT NULL,
  -- Attempts that got no 2xx.
  failed bigint NOT NULL,
  -- Attempts, with replays of delivered webhooks.
  attempts bigint NOT NULL,
  -- How long all attempts took together, in milliseconds.
  latency_ms double precision NOT NULL,
  -- Latency of the slowest attempt, in milliseconds.
  slowest_ms double precision NOT NULL,
  PRIMARY KEY (partition, stream_id, step, at)
);

-- A webhook in status failed or dropped, for the lists of these.
-- Owner: stream/ledger
CREATE TABLE webhook_undelivered (
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- The stream.
  stream_id uuid NOT NULL,
  -- As in webhook.
  status text NOT NULL CHECK (status IN ('failed', 'dropped')),
  -- The webhook.
  position bigint NOT NULL,
  -- When it came into that status.
  since timestamptz NOT NULL,
  PRIMARY KEY (partition, stream_id, status, position)
);
-- The lists of all streams together.
CREATE INDEX webhook_undelivered_latest ON webhook_undelivered (status, position);

-- Counts of a stream's deleted webhooks, written in the transaction that deletes them.
-- Owner: stream/ledger
CREATE TABLE webhook_base (
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- The stream.
  stream_id uuid NOT NULL,
  -- Webhooks.
  webhooks bigint NOT NULL,
  -- Of these, those delivered.
  delivered bigint NOT NULL,
  -- Of these, those that failed permanently.
  failed_for_good bigint NOT NULL,
  -- Of these, those dropped.
  dropped bigint NOT NULL,
  -- Logs of confirmed webhooks.
  logs bigint NOT NULL,
  -- Transactions of confirmed webhooks.
  txs bigint NOT NULL,
  -- Internal transactions of confirmed webhooks.
  txs_internal bigint NOT NULL,
  -- Attempts.
  attempts bigint NOT NULL,
  -- Of these, those that got no 2xx.
  failed bigint NOT NULL,
  -- When the row was last written.
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (partition, stream_id)
);

-- Ids of deleted webhooks, so that a request for one returns 410; kept for a year.
-- Owner: stream/ledger
CREATE TABLE webhook_removed (
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- The stream.
  stream_id uuid NOT NULL,
  -- The first webhook of those that were removed together.
  position bigint NOT NULL,
  -- When they were removed.
  removed_at timestamptz NOT NULL,
  -- Their ids, 16 bytes each.
  ids bytea NOT NULL,
  PRIMARY KEY (partition, stream_id, position)
);
-- Ids are random: compression takes time and saves nothing.
ALTER TABLE webhook_removed ALTER COLUMN ids SET STORAGE EXTERNAL;

-- A replay of a range of a stream's webhooks, in batches.
-- Owner: stream/ledger
CREATE TABLE range_replay (
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- The id for clients.
  id uuid NOT NULL,
  -- The stream.
  stream_id uuid NOT NULL,
  -- Only webhooks of this chain are sent again; null: of any.
  chain_id bigint,
  -- Only those of this block and later ones; null: any.
  from_block bigint,
  -- Only those of this block and earlier ones; null: any.
  to_block bigint,
  -- Only those in this status; null: any.
  webhook_status text CHECK (webhook_status IN ('pending', 'delivered', 'failed', 'dropped')),
  -- The first position of the range.
  first_position bigint NOT NULL,
  -- The next position to read.
  next_position bigint NOT NULL,
  -- The last position to read: the newest one at the time of the request.
  last_position bigint NOT NULL,
  -- Number of webhooks queued so far.
  replayed bigint NOT NULL DEFAULT 0,
  -- Its status.
  status text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'done', 'stopped')),
  -- Why it stopped.
  message text NOT NULL DEFAULT '',
  -- Time of the request.
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When the row was last written.
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (partition, id)
);
-- The few that are not done.
CREATE INDEX range_replay_running ON range_replay (partition) WHERE status = 'running';

-- An address that webhooks go to, with its success rate.
-- Owner: stream/ledger
CREATE TABLE webhook_url (
  -- The first byte of the hash.
  partition smallint NOT NULL,
  -- The first 16 bytes of the SHA-256 of the address.
  hash bytea NOT NULL,
  -- The address.
  url text NOT NULL,
  -- The success rate, 0 to 100: plus one with each delivery, minus one with each failure.
  rate smallint NOT NULL DEFAULT 100,
  -- Nothing is sent to it until then, as it returned 429 with a Retry-After of a minute or more; null: there is no pause.
  paused_until timestamptz,
  PRIMARY KEY (partition, hash)
);
-- The few addresses with a pause.
CREATE INDEX webhook_url_paused ON webhook_url (paused_until) WHERE paused_until IS NOT NULL;

-- A secret that a stream had before, which still signs until it expires.
-- Owner: stream/ledger
CREATE TABLE webhook_secret (
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- The stream.
  stream_id uuid NOT NULL,
  -- whsec_…, as webhook_secret of stream.
  secret text NOT NULL,
  -- When it stops signing.
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (partition, stream_id, secret)
);
