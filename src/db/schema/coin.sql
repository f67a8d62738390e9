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
  -- Raised by every change of coins of 0x1::coin that a page could show.
  version bigint NOT NULL DEFAULT 1,
  -- When the row was last written.
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- When a source last showed a head that nothing stored is beyond, by the clock of the database; null: none did yet.
  confirmed_at timestamptz,
  -- The network is not called synced while confirmed_at is older than this; null: no program said so yet.
  max_head_age_ms integer,
  -- Raised when coins that were shown change their order, or others come between them; new ones in front leave it as it is.
  arrangement bigint NOT NULL DEFAULT 0,
  -- As version, of fungible assets: pages without these stay as they are.
  asset_version bigint NOT NULL DEFAULT 0,
  -- As arrangement, of fungible assets.
  asset_arrangement bigint NOT NULL DEFAULT 0,
  -- Raised when supplies or decimals may have changed, which only some pages show.
  state_version bigint NOT NULL DEFAULT 0
);

-- A coin or a fungible asset, as its first write has it. It never changes once it is written, so it is kept as the text that it is served as.
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
  -- 1: a coin of 0x1::coin; 2: a fungible asset, whose type is the address of its object.
  standard smallint NOT NULL DEFAULT 1,
  -- What only an asset has, as the fields that the record goes on with; null: of standard 1.
  details text,
  -- SHA-256 of the type of the coin that the asset stands for.
  paired_hash bytea,
  -- Whose state counts the supply: an aggregator of coin_state; null: the coin's own state does.
  aggregator bytea,
  PRIMARY KEY (network_id, coin_type_hash, imported)
);
-- Pages show the newest coins first, of one standard or of both.
CREATE INDEX coin_latest ON coin (network_id, version DESC, coin_type_hash) WHERE shown AND standard = 1;
-- The same of fungible assets.
CREATE INDEX coin_latest_assets ON coin (network_id, version DESC, coin_type_hash) WHERE shown AND standard = 2;
-- The same of both.
CREATE INDEX coin_latest_all ON coin (network_id, version DESC, coin_type_hash) WHERE shown;
-- The asset that stands for a coin is a part of the coin's supply.
CREATE INDEX coin_paired ON coin (network_id, paired_hash, version, coin_type_hash) WHERE shown AND paired_hash IS NOT NULL;
-- Reading the chain looks for the imported coins of the versions that it passes.
CREATE INDEX coin_imported ON coin (network_id, version) WHERE imported;
-- A search finds coins by how their names begin, in lower case and as JSON writes them: see coin/searchCoins.ts.
CREATE INDEX coin_name ON coin (
  lower(left(split_part(split_part(record, ',"name":"', 2), '","supply_aggregator_table_handle":', 1), 100)) text_pattern_ops);
-- The same for symbols.
CREATE INDEX coin_symbol ON coin (
  lower(left(split_part(split_part(record, ',"symbol":"', 2), '","transaction_created_timestamp":', 1), 100)) text_pattern_ops);
-- The same for types, which begin with an address.
CREATE INDEX coin_begin ON coin (left(split_part(record, '"', 4), 100) text_pattern_ops) WHERE shown;

-- Changes of coins: one row for the versions of a subject that were stored at once.
-- Owner: coin
CREATE TABLE coin_state (
  -- The network of the coin.
  network_id integer NOT NULL REFERENCES coin_network,
  -- SHA-256 of the coin's type, or of the handle and key of an aggregator that counts a supply.
  subject bytea NOT NULL,
  -- The first version of these that changed something.
  version bigint NOT NULL,
  -- Digits behind the point, as written last; null: none of these versions wrote them.
  decimals smallint,
  -- The supply after these versions; null where the subject does not count it.
  supply numeric,
  -- The most that the supply may become; null: no bound.
  maximum numeric,
  -- After these versions the object of the asset does not exist.
  deleted boolean NOT NULL,
  -- The supply at each of the versions, packed: see coin/supplyPoints.ts.
  points bytea NOT NULL,
  PRIMARY KEY (network_id, subject, version)
);
-- Deleted objects of which nothing else was read: they are forgotten once no earlier write can come.
CREATE INDEX coin_state_ended ON coin_state (network_id, version) WHERE deleted AND decimals IS NULL;
