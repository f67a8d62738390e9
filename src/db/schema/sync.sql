-- A process that holds leases; while it lives it holds the session lock (7205, id).
-- Owner: sync/leases
CREATE TABLE worker (
  -- The id by which leases refer to the process.
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The machine that the process runs on.
  host text NOT NULL,
  -- The process's id on that machine.
  pid integer NOT NULL,
  -- The last heartbeat of the process.
  heartbeat_at timestamptz NOT NULL DEFAULT now(),
  -- Kinds of leases that the process takes part in; null: all.
  kinds text[],
  -- The name of the connections by which the process writes, at the end of their application_name; null: not known.
  connections text,
  -- Keys of leases that the process is able to take, as texts by kind: {"chain": ["1", "137"]}; null: all of its kinds.
  takes jsonb
);

-- A part of the work that only one process does at a time. Leases are distributed over the workers.
-- Owner: sync/leases
CREATE TABLE lease (
  -- The kind of work.
  kind text NOT NULL,
  -- The part of that work: a chain, a partition.
  key bigint NOT NULL,
  -- The worker that does this work; null: none.
  worker_id integer,
  PRIMARY KEY (kind, key)
);

-- An EVM chain and its cursor.
-- Owner: sync
CREATE TABLE chain (
  -- The chain id (EIP-155).
  id bigint PRIMARY KEY,
  -- The hash of block 0: nodes with another one are rejected.
  genesis_hash bytea NOT NULL,
  -- The last followed block; null until the chain is first followed.
  block_number bigint,
  -- The hash of that block.
  block_hash bytea,
  -- The newest block number that a node reported.
  head_number bigint NOT NULL,
  -- The number of the last block that cannot be undone any more.
  finalized_number bigint NOT NULL,
  -- Why the chain is not followed now, as readable text; null: it is followed.
  failure text,
  -- The node's chain differs from the stored one: data of the chain is not trusted until that ends.
  contradicted boolean NOT NULL DEFAULT false,
  -- When the row was last written.
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- Changes when the row is recreated, so that processes detect the old row.
  generation bigint GENERATED ALWAYS AS IDENTITY,
  -- When a node last reported a head that matches the stored chain, by the clock of the database.
  confirmed_at timestamptz NOT NULL DEFAULT now(),
  -- Maximum age of confirmed_at for the status synced; null: no server has set it yet.
  max_head_age_ms integer,
  -- Changes when a followed collection is removed: the chain's follower loads its collections again.
  revision bigint NOT NULL DEFAULT 0
);

-- A block that can still be undone, or the finalized one below those.
-- Owner: sync
CREATE TABLE block (
  -- The chain of the block.
  chain_id bigint NOT NULL,
  -- The number of the block.
  number bigint NOT NULL,
  -- The hash of the block.
  hash bytea NOT NULL,
  -- The hash of the block before it.
  parent_hash bytea NOT NULL,
  -- Seconds since 1970.
  timestamp bigint NOT NULL,
  PRIMARY KEY (chain_id, number)
);

-- A block that a reorg removed; kept for 30 days. A client of server-sent events that had seen it is sent the undone blocks.
-- Owner: sync
CREATE TABLE block_undone (
  -- The chain of the block.
  chain_id bigint NOT NULL,
  -- The hash of the block.
  hash bytea NOT NULL,
  -- The number of the block.
  number bigint NOT NULL,
  -- The hash of the block before it.
  parent_hash bytea NOT NULL,
  -- When it was last undone.
  undone_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (chain_id, hash)
);
-- Finds the blocks of a branch, and old rows to delete.
CREATE INDEX block_undone_number ON block_undone (chain_id, number);

-- The hash of a final block, stored permanently: every node of the chain must have the same.
-- Owner: sync
CREATE TABLE chain_mark (
  -- The chain of the block.
  chain_id bigint NOT NULL,
  -- The number of the block.
  number bigint NOT NULL,
  -- The hash of the block.
  hash bytea NOT NULL,
  PRIMARY KEY (chain_id, number)
);

-- Names that servers use for chains, so that a command without that configuration finds a chain by name. Built-in chains have their names
-- in the program.
-- Owner: sync
CREATE TABLE chain_name (
  -- The name, as a server's configuration has it.
  name text PRIMARY KEY,
  -- The chain of that name.
  chain_id bigint NOT NULL,
  -- When a server last stored it: the newest name of a chain is shown.
  told_at timestamptz NOT NULL DEFAULT now()
);

-- A paused chain. This is not a column of chain, because a reset recreates that row, and a chain that was never reached has none.
-- Owner: sync/leases
CREATE TABLE chain_pause (
  -- The chain that is paused.
  chain_id bigint PRIMARY KEY,
  -- When it was paused.
  paused_at timestamptz NOT NULL DEFAULT now()
);
