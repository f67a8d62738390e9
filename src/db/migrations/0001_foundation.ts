import type { Migration } from './migration.ts'

/**
 * Keys, leases, chains, and the NFTs of a contract. Every table that grows leads its primary key with `partition`,
 * the hash of (chain, contract) mod 256. Positions are `block number * 2^20 + log index`, so that one comparison orders
 * two logs of a chain.
 */
export const foundation: Migration = {
  id: 1,
  name: 'foundation',
  sql: `
CREATE TABLE setting (
  name text PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE api_key (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  hash bytea NOT NULL UNIQUE,
  access text NOT NULL CHECK (access IN ('read', 'admin')),
  requests_per_second double precision,
  burst integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);

-- A process that holds leases. It holds the session lock (7205, id) while it lives.
CREATE TABLE worker (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  host text NOT NULL,
  pid integer NOT NULL,
  heartbeat_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE lease (
  kind text NOT NULL,
  key bigint NOT NULL,
  worker_id integer,
  PRIMARY KEY (kind, key)
);

CREATE TABLE chain (
  id bigint PRIMARY KEY,
  genesis_hash bytea NOT NULL,
  -- The last block applied to every followed collection; null until the chain is first followed.
  block_number bigint,
  block_hash bytea,
  head_number bigint NOT NULL,
  finalized_number bigint NOT NULL,
  failure text,
  -- The node's chain contradicts what is stored: nothing of the chain is to be trusted until that ends.
  contradicted boolean NOT NULL DEFAULT false,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- The blocks that can still be undone, and the finalized one below them.
CREATE TABLE block (
  chain_id bigint NOT NULL,
  number bigint NOT NULL,
  hash bytea NOT NULL,
  parent_hash bytea NOT NULL,
  timestamp bigint NOT NULL,
  PRIMARY KEY (chain_id, number)
);

CREATE TABLE collection (
  partition smallint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  chain_id bigint NOT NULL,
  address bytea NOT NULL,
  -- queued: waits for its turn; syncing: history is being read; live: followed at the head;
  -- none: no NFT contract; nocode: no contract at all; failed: see reason, tried again at retry_at.
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'syncing', 'live', 'none', 'nocode', 'failed')),
  reason text,
  attempts integer NOT NULL DEFAULT 0,
  retry_at timestamptz,
  -- The key that asked first, 0 for the configuration's own.
  requested_by bigint,
  requested_at timestamptz NOT NULL DEFAULT now(),
  checked_at timestamptz,
  -- When it was last worked on: the one that waited longest has the next turn.
  turn_at timestamptz NOT NULL DEFAULT now(),
  standard text CHECK (standard IN ('ERC721', 'ERC1155')),
  name text,
  symbol text,
  -- When it first joined the head.
  live_since timestamptz,
  -- First block with anything to read; what coverage starts from.
  from_block bigint,
  -- Blocks whose logs are stored, each exactly once.
  coverage int8multirange NOT NULL DEFAULT '{}',
  -- Last block covered without a gap since from_block; null until there is one.
  to_block bigint,
  -- Tokens listed.
  tokens bigint NOT NULL DEFAULT 0,
  -- Raised by every change that a page could show.
  version bigint NOT NULL DEFAULT 1,
  PRIMARY KEY (partition, id),
  UNIQUE (partition, chain_id, address)
);
CREATE INDEX collection_due ON collection (turn_at) WHERE status IN ('queued', 'syncing', 'failed');
CREATE INDEX collection_live ON collection (chain_id) WHERE status = 'live';
CREATE INDEX collection_wanted ON collection (chain_id) WHERE status IN ('live', 'syncing');
CREATE INDEX collection_joinable ON collection (chain_id, to_block) WHERE status = 'syncing';
CREATE INDEX collection_waiting ON collection (requested_by) WHERE live_since IS NULL AND status IN ('queued', 'syncing', 'failed');
CREATE INDEX collection_nocode ON collection (checked_at) WHERE status = 'nocode';

-- The state of a token: owner by its latest transfer, minter by its earliest, amount in existence.
CREATE TABLE token (
  partition smallint NOT NULL,
  collection_id bigint NOT NULL,
  token_hash uuid NOT NULL,
  token_id numeric(78, 0) NOT NULL,
  -- ERC-721: the holder, null when burned. ERC-1155: the holder where there is exactly one.
  owner bytea,
  -- null where the first transfer known is no mint.
  minter bytea,
  last_position bigint NOT NULL,
  first_position bigint NOT NULL,
  -- Listed while above zero.
  amount numeric NOT NULL,
  holders integer NOT NULL,
  PRIMARY KEY (partition, collection_id, token_hash)
);

CREATE TABLE balance (
  partition smallint NOT NULL,
  collection_id bigint NOT NULL,
  token_hash uuid NOT NULL,
  holder bytea NOT NULL,
  -- Below zero only while history is read out of order.
  amount numeric NOT NULL,
  PRIMARY KEY (partition, collection_id, token_hash, holder)
);

CREATE TABLE transfer (
  partition smallint NOT NULL,
  collection_id bigint NOT NULL,
  position bigint NOT NULL,
  -- Place within one log: TransferBatch and ConsecutiveTransfer move several tokens.
  item integer NOT NULL,
  token_id numeric(78, 0) NOT NULL,
  from_address bytea NOT NULL,
  to_address bytea NOT NULL,
  amount numeric NOT NULL,
  transaction_hash bytea NOT NULL,
  PRIMARY KEY (partition, collection_id, position, item)
);

-- What a token was before a block that can still be undone; null positions: it was not there.
CREATE TABLE token_undo (
  partition smallint NOT NULL,
  collection_id bigint NOT NULL,
  block_number bigint NOT NULL,
  token_hash uuid NOT NULL,
  owner bytea,
  minter bytea,
  last_position bigint,
  first_position bigint,
  PRIMARY KEY (partition, collection_id, block_number, token_hash)
);
`,
}
