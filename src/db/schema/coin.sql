-- An Aptos-style network, and how far it is read. A network has some 10^5 coins, so nothing of it is partitioned.
-- Owner: coin
CREATE TABLE coin_network (
  -- The number that coins name the network by.
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- As the configuration calls it: mainnet, testnet …
  name text NOT NULL UNIQUE,
  -- Chain id of the first source; every later one must have the same.
  chain_id integer,
  -- The first version that is to be read.
  from_version bigint NOT NULL DEFAULT 0,
  -- Versions that are read and stored, each exactly once.
  coverage int8multirange NOT NULL DEFAULT '{}',
  -- The last version covered without a gap since from_version; null until there is one.
  to_version bigint,
  -- Coins up to this version are shown: no earlier write of them can still come. It never goes back.
  shown_version bigint NOT NULL DEFAULT -1,
  -- The newest version that a source showed.
  head_version bigint,
  -- Why the network is not read now, for people; null: it is.
  failure text,
  -- Imported records that the chain has not confirmed yet.
  imports bigint NOT NULL DEFAULT 0,
  -- Raised by every change that a page could show.
  version bigint NOT NULL DEFAULT 1,
  -- When the row was last written.
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- When a source last showed a head that nothing stored is beyond, by the clock of the database; null: none did yet.
  confirmed_at timestamptz,
  -- The network is not called synced while confirmed_at is older than this; null: no program said so yet.
  max_head_age_ms integer,
  -- Raised when coins that were shown change their order, or others come between them; new ones in front leave it as it is.
  arrangement bigint NOT NULL DEFAULT 0
);

-- A coin. It never changes once it is written, so it is kept as the text that it is served as.
-- Owner: coin
CREATE TABLE coin (
  -- The network of the coin.
  network_id integer NOT NULL REFERENCES coin_network,
  -- SHA-256 of its type.
  coin_type_hash bytea NOT NULL,
  -- The coin came from a file, and the chain has not confirmed it yet.
  imported boolean NOT NULL,
  -- False while an imported record says that the coin is older than what was read of the chain so far.
  shown boolean NOT NULL,
  -- The version of the transaction that wrote the coin first, as far as is known.
  version bigint NOT NULL,
  -- The coin as clients see it, JSON.
  record text NOT NULL,
  PRIMARY KEY (network_id, coin_type_hash, imported)
);
-- Pages show the newest coins first.
CREATE INDEX coin_latest ON coin (network_id, version DESC, coin_type_hash) WHERE shown;
-- Reading the chain looks for the imported coins of the versions that it passes.
CREATE INDEX coin_imported ON coin (network_id, version) WHERE imported;
-- A search finds coins by how their names begin, in lower case and as JSON writes them: see coin/searchCoins.ts.
CREATE INDEX coin_name ON coin (
  lower(left(split_part(split_part(record, ',"name":"', 2), '","supply_aggregator_table_handle":', 1), 100)) text_pattern_ops);
-- The same for symbols.
CREATE INDEX coin_symbol ON coin (
  lower(left(split_part(split_part(record, ',"symbol":"', 2), '","transaction_created_timestamp":', 1), 100)) text_pattern_ops);
