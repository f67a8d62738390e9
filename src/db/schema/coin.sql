-- An Aptos-style network and the progress of reading it. A network has about 10^5 coins, so its tables are not partitioned.
-- Owner: coin
CREATE TABLE coin_network (
  -- The id by which coins refer to the network.
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Its name in the configuration: mainnet, testnet …
  name text NOT NULL UNIQUE,
  -- Chain id of the first source; every later one must have the same.
  chain_id integer,
  -- The first version to read.
  from_version bigint NOT NULL DEFAULT 0,
  -- Versions that are read and stored, each exactly once.
  coverage int8multirange NOT NULL DEFAULT '{}',
  -- The last version covered without a gap since from_version; null until there is one.
  to_version bigint,
  -- Coins up to this version are shown, as all earlier versions are read. It never decreases.
  shown_version bigint NOT NULL DEFAULT -1,
  -- The newest version that a source reported.
  head_version bigint,
  -- Why the network is not read now, as readable text; null: it is read.
  failure text,
  -- Imported records that the chain has not confirmed yet.
  imports bigint NOT NULL DEFAULT 0,
  -- Incremented by every change of coins of 0x1::coin that a page can show.
  version bigint NOT NULL DEFAULT 1,
  -- When the row was last written.
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- When a source last reported a head at or above all stored versions, by the clock of the database; null: never.
  confirmed_at timestamptz,
  -- Maximum age of confirmed_at for the status synced; null: no server has set it yet.
  max_head_age_ms integer,
  -- As version, for fungible assets, so that pages without them do not change.
  asset_version bigint NOT NULL DEFAULT 0,
  -- Incremented when supplies or decimals may have changed, which only some pages show.
  state_version bigint NOT NULL DEFAULT 0
);

-- A coin or a fungible asset by its first write. It never changes, so it is stored as the text of answers.
-- Owner: coin
CREATE TABLE coin (
  -- The network of the coin.
  network_id integer NOT NULL REFERENCES coin_network,
  -- SHA-256 of its type.
  coin_type_hash bytea NOT NULL,
  -- The coin came from a file, and the chain has not confirmed it yet.
  imported boolean NOT NULL,
  -- False while an imported record has an earlier version than the chain shows so far.
  shown boolean NOT NULL,
  -- It is listed although earlier versions are not read yet: it came from a file, even if the chain has confirmed it since.
  early boolean NOT NULL DEFAULT false,
  -- The version of the first known write of the coin.
  version bigint NOT NULL,
  -- The coin as clients see it, JSON.
  record text NOT NULL,
  -- 1: a coin of 0x1::coin; 2: a fungible asset, whose type is the address of its object.
  standard smallint NOT NULL DEFAULT 1,
  -- Further fields of the record of a fungible asset; null: the coin is of standard 1.
  details text,
  -- SHA-256 of the type of the coin that the asset represents.
  paired_hash bytea,
  -- The aggregator in coin_state that counts the supply; null: the coin's own state does.
  aggregator bytea,
  PRIMARY KEY (network_id, coin_type_hash, imported)
);
-- Pages show the newest coins first, of one standard or of both.
CREATE INDEX coin_latest ON coin (network_id, version DESC, coin_type_hash) WHERE shown AND standard = 1;
-- The same for fungible assets.
CREATE INDEX coin_latest_assets ON coin (network_id, version DESC, coin_type_hash) WHERE shown AND standard = 2;
-- The same for both.
CREATE INDEX coin_latest_all ON coin (network_id, version DESC, coin_type_hash) WHERE shown;
-- Finds the asset of a coin, whose supply is part of the coin's.
CREATE INDEX coin_paired ON coin (network_id, paired_hash, version, coin_type_hash) WHERE shown AND paired_hash IS NOT NULL;
-- Finds imported coins of the versions that are read.
CREATE INDEX coin_imported ON coin (network_id, version) WHERE imported;
-- A search finds coins by how their names begin, in lower case and as JSON writes them: see coin/pages/searchCoins.ts.
CREATE INDEX coin_name ON coin (
  lower(left(split_part(split_part(record, ',"name":"', 2), '","supply_aggregator_table_handle":', 1), 100)) text_pattern_ops);
-- The same for symbols.
CREATE INDEX coin_symbol ON coin (
  lower(left(split_part(split_part(record, ',"symbol":"', 2), '","transaction_created_timestamp":', 1), 100)) text_pattern_ops);
-- The same for types, which begin with an address.
CREATE INDEX coin_begin ON coin (left(split_part(record, '"', 4), 100) text_pattern_ops) WHERE shown;

-- Changes of coins: one row for all versions of a subject that were stored together.
-- Owner: coin
CREATE TABLE coin_state (
  -- The network of the coin.
  network_id integer NOT NULL REFERENCES coin_network,
  -- SHA-256 of the coin's type, or of the handle and key of an aggregator that counts a supply.
  subject bytea NOT NULL,
  -- The first of these versions that changed something.
  version bigint NOT NULL,
  -- Decimal places, by the last write; null: none of these versions wrote them.
  decimals smallint,
  -- The supply after these versions; null if the subject does not count it.
  supply numeric,
  -- The maximum supply; null: no maximum.
  maximum numeric,
  -- The object of the asset is deleted after these versions.
  deleted boolean NOT NULL,
  -- The supply at each of the versions, packed: see coin/supplyPoints.ts.
  points bytea NOT NULL,
  PRIMARY KEY (network_id, subject, version)
);
-- Deleted objects without other writes; their rows are deleted once all versions from 0 on are read.
CREATE INDEX coin_state_ended ON coin_state (network_id, version) WHERE deleted AND decimals IS NULL;
