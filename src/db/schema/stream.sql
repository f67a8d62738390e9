-- A stream: its definition and its endpoint.
-- Owner: stream/definition
CREATE TABLE stream (
  -- The hash of the stream's id modulo 256 (sync/partition.ts); it leads the key of every table that grows with streams.
  partition smallint NOT NULL,
  -- The id of the stream for clients.
  id uuid NOT NULL,
  -- active and error are matched; paused and terminated are not.
  status text NOT NULL CHECK (status IN ('active', 'paused', 'error', 'terminated')),
  -- Why it is in that status, as readable text.
  status_message text NOT NULL DEFAULT '',
  -- The address that its webhooks go to.
  webhook_url text NOT NULL,
  -- whsec_…, the key of its Standard Webhooks signature.
  webhook_secret text NOT NULL,
  -- Its description.
  description text NOT NULL,
  -- Its tag, which each webhook contains.
  tag text NOT NULL,
  -- The chains that it is on.
  chain_ids bigint[] NOT NULL,
  -- What is matched and sent: topic0, allAddresses, include…, filterPossibleSpam, abi, advancedOptions, getNativeBalances, confirmedOnly, demo.
  definition json NOT NULL,
  -- How many addresses it watches in stream_address.
  addresses bigint NOT NULL DEFAULT 0,
  -- When it was created.
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When it was last changed.
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- Headers of every webhook, {name: value}, names in lower case; the values are secrets, as webhook_secret is.
  headers json NOT NULL DEFAULT '{}',
  -- ordered: first attempts one after the other on each chain; unordered: many at once.
  delivery text NOT NULL DEFAULT 'ordered' CHECK (delivery IN ('ordered', 'unordered')),
  -- Its webhooks are sent compressed.
  gzip boolean NOT NULL DEFAULT false,
  -- Chains that it was on, and left.
  left_chains bigint[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (partition, id)
);

-- A stream on one of its chains.
-- Owner: stream/definition
CREATE TABLE stream_chain (
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- The stream.
  stream_id uuid NOT NULL,
  -- The chain.
  chain_id bigint NOT NULL,
  -- live: matched by the chain's follower, up to its cursor; history: matched below next_block, and catches up with the cursor; paused:
  -- nothing matches it, and it continues with next_block when it is resumed.
  state text NOT NULL CHECK (state IN ('live', 'history', 'paused')),
  -- The first block to which it applies.
  from_block bigint NOT NULL,
  -- The first block that is not matched yet; of no use in state live.
  next_block bigint NOT NULL,
  -- Requested history that has not started: it waits until there is something to match, and then every change made so far applies from
  -- from_block on.
  waiting boolean NOT NULL DEFAULT false,
  -- Why history is stalled, as readable text.
  failure text,
  -- Since when its history fails; null: it does not fail.
  failing_since timestamptz,
  -- When its history is tried again.
  retry_at timestamptz,
  -- Blocks below it existed when the stream requested them: once they are confirmed, only their confirmed webhooks are sent.
  head_from bigint NOT NULL DEFAULT 0,
  -- Its owner requested history (fromBlocks): later addresses get theirs from from_block on, too.
  asked boolean NOT NULL DEFAULT false,
  -- It was last paused in state history: a resume that skips the blocks since then also skips those that it had not caught up with.
  behind boolean NOT NULL DEFAULT false,
  PRIMARY KEY (partition, stream_id, chain_id)
);
-- The streams of a chain in a state.
CREATE INDEX stream_chain_chain ON stream_chain (chain_id, state);

-- An address that a stream watches, or watched.
-- Owner: stream/definition
CREATE TABLE stream_address (
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- The stream.
  stream_id uuid NOT NULL,
  -- The address.
  address bytea NOT NULL,
  -- It is no longer watched. The row remains because its history was sent.
  removed boolean NOT NULL DEFAULT false,
  -- The number of its row in stream_since, which has the first blocks of its matches. If null, and on chains that this row does not list,
  -- its matches begin with the first block of the stream.
  since bigint,
  PRIMARY KEY (partition, stream_id, address)
);

-- A change of a stream and the block from which it applies; kept while an earlier block may still be matched. It is written under the
-- lock of its chains' rows, so that for each chain the order of seq is the order of commits.
-- Owner: stream/definition
CREATE TABLE stream_change (
  -- The order of changes.
  seq bigint GENERATED ALWAYS AS IDENTITY,
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- The stream.
  stream_id uuid NOT NULL,
  -- The chains that the change concerns.
  chain_ids bigint[] NOT NULL,
  -- The first block of each chain to which it applies, in the order of chain_ids.
  effective bigint[] NOT NULL,
  -- {active, tag, chainIds, definition} before the change; null: as they were.
  before json,
  -- The same after it.
  after json,
  -- The stream was deleted.
  gone boolean NOT NULL DEFAULT false,
  -- Added addresses, 20 bytes each.
  added bytea,
  -- Removed addresses, 20 bytes each.
  removed bytea,
  -- When it was created.
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (partition, seq)
);
-- The changes of all streams after one that a chain's follower knows.
CREATE INDEX stream_change_order ON stream_change (seq);
-- The changes of one stream.
CREATE INDEX stream_change_stream ON stream_change (stream_id, seq);

-- A match that waits for its confirmed webhook.
-- Owner: stream/ledger
CREATE TABLE stream_confirmation (
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- The stream.
  stream_id uuid NOT NULL,
  -- The chain.
  chain_id bigint NOT NULL,
  -- The number of the block that was matched.
  block_number bigint NOT NULL,
  -- The hash of that block.
  block_hash bytea NOT NULL,
  -- The body of the unconfirmed webhook.
  body text NOT NULL,
  -- Logs in it.
  logs integer NOT NULL,
  -- Transactions in it.
  txs integer NOT NULL,
  -- Internal transactions in it.
  txs_internal integer NOT NULL,
  -- It was matched at the head, not in history.
  live boolean NOT NULL,
  -- Number of the part of the block's matches, from 1.
  part integer NOT NULL DEFAULT 1,
  -- Number of parts.
  parts integer NOT NULL DEFAULT 1,
  PRIMARY KEY (partition, stream_id, chain_id, block_number, part)
);
-- The matches of a chain that a new block confirms or removes.
CREATE INDEX stream_confirmation_block ON stream_confirmation (chain_id, block_number);

-- Addresses added after a stream's history began, with pending history, in the order of their addition.
-- Owner: stream/definition
CREATE TABLE stream_addition (
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- The stream.
  stream_id uuid NOT NULL,
  -- The chain.
  chain_id bigint NOT NULL,
  -- The order of additions.
  number bigint GENERATED ALWAYS AS IDENTITY,
  -- The first block that is not read.
  next_block bigint NOT NULL,
  -- The first block in which the stream itself matches them.
  to_block bigint NOT NULL,
  -- The addresses, 20 bytes each.
  addresses bytea NOT NULL,
  -- Why it is stalled, as readable text.
  failure text,
  -- Since when it fails; null: it does not fail.
  failing_since timestamptz,
  -- When it is tried again.
  retry_at timestamptz,
  PRIMARY KEY (partition, stream_id, chain_id, number)
);

-- Blocks that were read for added addresses, with one definition, so that their matches are not sent again with another one.
-- Owner: stream/definition
CREATE TABLE stream_brought (
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- The stream.
  stream_id uuid NOT NULL,
  -- The chain.
  chain_id bigint NOT NULL,
  -- The number of the addition.
  addition bigint NOT NULL,
  -- The first block that was read.
  from_block bigint NOT NULL,
  -- The first block that was not read.
  to_block bigint NOT NULL,
  -- The first block in which the stream itself matches the addresses.
  own_from bigint NOT NULL,
  -- The definition with which they were read.
  shape jsonb NOT NULL,
  -- The addresses, 20 bytes each.
  addresses bytea NOT NULL,
  PRIMARY KEY (partition, stream_id, chain_id, addition, from_block)
);

-- Blocks in which a stream watched an address that was removed later: a row for each period. History of added addresses does not contain
-- its matches in these blocks again. Addresses that were never removed have no rows. A period is deleted webhooks.retentionDays after its end.
-- Owner: stream/definition
CREATE TABLE stream_watched (
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- The stream.
  stream_id uuid NOT NULL,
  -- The chain.
  chain_id bigint NOT NULL,
  -- The address.
  address bytea NOT NULL,
  -- The first block in which it was watched.
  from_block bigint NOT NULL,
  -- The first block in which it was not watched; null: it is watched again.
  until_block bigint,
  -- When it was removed; null: it is watched again.
  ended_at timestamptz,
  PRIMARY KEY (partition, stream_id, chain_id, address, from_block)
);

-- First blocks of the matches of some of a stream's addresses.
-- Owner: stream/definition
CREATE TABLE stream_since (
  -- The partition of the stream.
  partition smallint NOT NULL,
  -- The stream.
  stream_id uuid NOT NULL,
  -- The number by which rows of stream_address refer to it.
  number bigint GENERATED ALWAYS AS IDENTITY,
  -- The chains.
  chain_ids bigint[] NOT NULL,
  -- The first block of each, in the order of chain_ids.
  from_blocks bigint[] NOT NULL,
  PRIMARY KEY (partition, stream_id, number)
);

-- A pending operational webhook (webhooks.operationsUrl); their number is limited.
-- Owner: stream/operational
CREATE TABLE operation_notice (
  -- The order of sending.
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The header webhook-id.
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- The body.
  body text NOT NULL,
  -- Failed attempts.
  failures integer NOT NULL DEFAULT 0,
  -- When it is sent at the earliest; while it is being sent, when another process may send it.
  due_at timestamptz NOT NULL,
  -- Time of the reported event.
  created_at timestamptz NOT NULL
);

-- A stalled chain.
-- Owner: stream/operational
CREATE TABLE chain_stall (
  -- The chain.
  chain_id bigint PRIMARY KEY,
  -- Since when it is stalled.
  since timestamptz NOT NULL,
  -- Its operational webhook was written.
  told boolean NOT NULL DEFAULT false
);
