import type { Migration } from './migration.ts'

/**
 * The ledger of webhooks, what waits to be sent, every attempt, and the counters of both sides: `webhook_matched` is written
 * by whoever matches blocks, `webhook_delivered` by whoever delivers, so that neither waits for the other. The partition is
 * the stream's; in `webhook_url` it is the first byte of the hash.
 *
 * For each stream: matched = delivered + failed_for_good + dropped (of both sides) + rows of webhook_queue without replays.
 */
export const deliveries: Migration = {
  id: 5,
  name: 'deliveries',
  sql: `
-- Order in which webhooks are first attempted, within a stream and chain.
CREATE SEQUENCE webhook_position;

-- One row for each webhook that was ever owed to a receiver. Never deleted.
CREATE TABLE webhook (
  partition smallint NOT NULL,
  position bigint NOT NULL,
  stream_id uuid NOT NULL,
  chain_id bigint NOT NULL,
  block_number bigint NOT NULL,
  block_hash bytea NOT NULL,
  kind text NOT NULL CHECK (kind IN ('unconfirmed', 'confirmed', 'retraction')),
  -- The header webhook-id: hash of (stream, chain, block hash, kind, flips).
  id uuid NOT NULL,
  -- How often this block had been retracted before.
  flips integer NOT NULL,
  -- From a block at the head, not from history.
  live boolean NOT NULL,
  logs integer NOT NULL,
  txs integer NOT NULL,
  txs_internal integer NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed', 'dropped')),
  -- Why it was dropped.
  reason text,
  -- A reorganisation took its block away, and a retraction was enqueued.
  retracted boolean NOT NULL DEFAULT false,
  -- How often a replay of it was asked for.
  replays integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (partition, position)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX webhook_id ON webhook (partition, id);
CREATE INDEX webhook_block ON webhook (chain_id, block_number);
CREATE INDEX webhook_latest ON webhook (position);
CREATE INDEX webhook_stream ON webhook (partition, stream_id, position);
CREATE INDEX webhook_retraction ON webhook (partition, stream_id, chain_id, block_hash) WHERE kind = 'retraction';

-- The body as first sent. Apart, so that what becomes of a webhook never rewrites it.
CREATE TABLE webhook_body (
  partition smallint NOT NULL,
  position bigint NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (partition, position)
);
-- A third of pglz's time for the same size; a server built without it keeps pglz.
DO $$ BEGIN
  ALTER TABLE webhook_body ALTER COLUMN body SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL;
END $$;

-- What is still to be sent. Replay 0 is the delivery itself; later ones were asked for.
CREATE TABLE webhook_queue (
  partition smallint NOT NULL,
  stream_id uuid NOT NULL,
  chain_id bigint NOT NULL,
  position bigint NOT NULL,
  replay integer NOT NULL,
  id uuid NOT NULL,
  live boolean NOT NULL,
  body_bytes integer NOT NULL,
  -- Failed attempts of this delivery.
  failures integer NOT NULL DEFAULT 0,
  -- null: the first attempt, which waits for its turn.
  due_at timestamptz,
  PRIMARY KEY (partition, stream_id, chain_id, position, replay)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX webhook_due ON webhook_queue (partition, stream_id, due_at) WHERE due_at IS NOT NULL;

CREATE TABLE webhook_attempt (
  partition smallint NOT NULL,
  position bigint NOT NULL,
  replay integer NOT NULL,
  -- From 1 for each delivery. What settles an attempt twice finds its row.
  number integer NOT NULL,
  stream_id uuid NOT NULL,
  url_hash bytea NOT NULL,
  at timestamptz NOT NULL,
  ms real NOT NULL,
  delivered boolean NOT NULL,
  -- null: there was no answer.
  code smallint,
  error text,
  -- First kilobyte.
  answer bytea,
  PRIMARY KEY (partition, position, replay, number)
);
CREATE INDEX webhook_attempt_latest ON webhook_attempt (at);

-- Of what was matched; locked by whoever enqueues, so that positions of a stream and chain are committed in their order.
CREATE TABLE webhook_matched (
  partition smallint NOT NULL,
  stream_id uuid NOT NULL,
  chain_id bigint NOT NULL,
  matched bigint NOT NULL DEFAULT 0,
  dropped bigint NOT NULL DEFAULT 0,
  -- Of confirmed webhooks.
  logs bigint NOT NULL DEFAULT 0,
  txs bigint NOT NULL DEFAULT 0,
  txs_internal bigint NOT NULL DEFAULT 0,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (partition, stream_id, chain_id)
) WITH (fillfactor = 50);

CREATE TABLE webhook_delivered (
  partition smallint NOT NULL,
  stream_id uuid NOT NULL,
  delivered bigint NOT NULL DEFAULT 0,
  -- Attempts that got no 2xx.
  failed bigint NOT NULL DEFAULT 0,
  failed_for_good bigint NOT NULL DEFAULT 0,
  -- Negative where what the other side dropped was delivered all the same.
  dropped bigint NOT NULL DEFAULT 0,
  -- Since when the stream is in error.
  error_at timestamptz,
  -- Webhooks up to here were queued when the stream was last resumed: they do not count against maxQueued.
  resumed_position bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (partition, stream_id)
) WITH (fillfactor = 50);

-- The same by minute and hour.
CREATE TABLE webhook_matched_span (
  partition smallint NOT NULL,
  stream_id uuid NOT NULL,
  step text NOT NULL CHECK (step IN ('minute', 'hour')),
  at timestamptz NOT NULL,
  chain_id bigint NOT NULL,
  logs bigint NOT NULL,
  txs bigint NOT NULL,
  txs_internal bigint NOT NULL,
  PRIMARY KEY (partition, stream_id, step, at, chain_id)
);
CREATE TABLE webhook_delivered_span (
  partition smallint NOT NULL,
  stream_id uuid NOT NULL,
  step text NOT NULL CHECK (step IN ('minute', 'hour')),
  at timestamptz NOT NULL,
  delivered bigint NOT NULL,
  failed bigint NOT NULL,
  PRIMARY KEY (partition, stream_id, step, at)
);

-- Addresses that webhooks go to, with the success rate of each.
CREATE TABLE webhook_url (
  partition smallint NOT NULL,
  hash bytea NOT NULL,
  url text NOT NULL,
  rate smallint NOT NULL DEFAULT 100,
  PRIMARY KEY (partition, hash)
);

-- Secrets that streams had before, which still sign until they expire.
CREATE TABLE webhook_secret (
  partition smallint NOT NULL,
  stream_id uuid NOT NULL,
  secret text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (partition, stream_id, secret)
);

-- What kinds of leases a worker takes part in; null: all.
ALTER TABLE worker ADD COLUMN kinds text[];
`,
}
