import type { Migration } from './migration.ts'

/**
 * Streams, their addresses, how far each is matched on each of its chains, what changed lately, and what waits for
 * confirmation. `partition` is the hash of the stream's id mod 256 (`stream/streamPartition.ts`).
 */
export const streams: Migration = {
  id: 4,
  name: 'streams',
  sql: `
CREATE TABLE stream (
  partition smallint NOT NULL,
  id uuid NOT NULL,
  -- active and error are matched; paused and terminated are not.
  status text NOT NULL CHECK (status IN ('active', 'paused', 'error', 'terminated')),
  status_message text NOT NULL DEFAULT '',
  webhook_url text NOT NULL,
  -- whsec_…, of the Standard Webhooks signature.
  webhook_secret text NOT NULL,
  description text NOT NULL,
  tag text NOT NULL,
  chain_ids bigint[] NOT NULL,
  -- What is matched and sent: topic0, allAddresses, include…, abi, advancedOptions, getNativeBalances, demo.
  definition json NOT NULL,
  -- How many it has in stream_address.
  addresses bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (partition, id)
);

-- A stream on one of its chains.
CREATE TABLE stream_chain (
  partition smallint NOT NULL,
  stream_id uuid NOT NULL,
  chain_id bigint NOT NULL,
  -- live: matched by the chain's follower, up to its cursor; history: matched below next_block, to be joined.
  state text NOT NULL CHECK (state IN ('live', 'history')),
  -- First block that it holds for.
  from_block bigint NOT NULL,
  -- First block that history has not matched yet; only of use in state history.
  next_block bigint NOT NULL,
  -- History that was asked for and has not begun: until there is something to match, and then every change made so far holds
  -- from from_block on.
  waiting boolean NOT NULL DEFAULT false,
  -- Why history does not go on, for people.
  failure text,
  PRIMARY KEY (partition, stream_id, chain_id)
);
CREATE INDEX stream_chain_chain ON stream_chain (chain_id, state);

CREATE TABLE stream_address (
  partition smallint NOT NULL,
  stream_id uuid NOT NULL,
  address bytea NOT NULL,
  PRIMARY KEY (partition, stream_id, address)
);

-- What changed and from which block on; kept while a block below it may still be matched. Written under the lock of the
-- rows of its chains, so that for each chain the order of seq is the order of commits.
CREATE TABLE stream_change (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  partition smallint NOT NULL,
  stream_id uuid NOT NULL,
  chain_ids bigint[] NOT NULL,
  -- First block of each chain that it holds for, in the order of chain_ids.
  effective bigint[] NOT NULL,
  -- {active, tag, chainIds, definition} where they changed; null: as they were. Gone: gone is true.
  before json,
  after json,
  gone boolean NOT NULL DEFAULT false,
  -- Addresses that became or stopped being the stream's, 20 bytes each.
  added bytea,
  removed bytea,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX stream_change_stream ON stream_change (stream_id, seq);

-- Matches that wait for their confirmed webhook. body is the unconfirmed one's.
CREATE TABLE stream_confirmation (
  partition smallint NOT NULL,
  stream_id uuid NOT NULL,
  chain_id bigint NOT NULL,
  block_number bigint NOT NULL,
  block_hash bytea NOT NULL,
  body text NOT NULL,
  logs integer NOT NULL,
  txs integer NOT NULL,
  txs_internal integer NOT NULL,
  live boolean NOT NULL,
  PRIMARY KEY (partition, stream_id, chain_id, block_number)
);
CREATE INDEX stream_confirmation_block ON stream_confirmation (chain_id, block_number);
`,
}
