import type { Migration } from './migration.ts'

/** Coins of Aptos-style networks, and how far each network is read. A network has some 10^5 coins, so nothing is partitioned. */
export const coins: Migration = {
  id: 3,
  name: 'coins',
  sql: `
CREATE TABLE coin_network (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- As the configuration calls it: mainnet, testnet …
  name text NOT NULL UNIQUE,
  -- What the first source said; every later one has to say the same.
  chain_id integer,
  -- First version that is to be read.
  from_version bigint NOT NULL DEFAULT 0,
  -- Versions that are read and stored, each exactly once.
  coverage int8multirange NOT NULL DEFAULT '{}',
  -- Last version covered without a gap since from_version; null until there is one.
  to_version bigint,
  -- Coins up to here are shown: no earlier write of them can still come. Never goes back.
  shown_version bigint NOT NULL DEFAULT -1,
  head_version bigint,
  failure text,
  -- Imported records that the chain has not confirmed yet.
  imports bigint NOT NULL DEFAULT 0,
  -- Raised by every change that a page could show.
  version bigint NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE coin (
  network_id integer NOT NULL REFERENCES coin_network,
  -- sha256 of coin_type.
  coin_type_hash bytea NOT NULL,
  -- Came from a file, and the chain has not confirmed it yet.
  imported boolean NOT NULL,
  -- False while an imported record says that the coin is older than what was read of the chain so far.
  shown boolean NOT NULL,
  coin_type text NOT NULL,
  -- 32 bytes.
  creator bytea NOT NULL,
  decimals smallint NOT NULL,
  -- UTF-8; bytes, as a name may hold NUL, which text refuses.
  name bytea NOT NULL,
  symbol bytea NOT NULL,
  supply_handle text,
  supply_key text,
  -- Of the transaction that wrote it first, as far as is known.
  version bigint NOT NULL,
  -- Microseconds since 1970.
  created_micros bigint NOT NULL,
  PRIMARY KEY (network_id, coin_type_hash, imported)
);
CREATE INDEX coin_latest ON coin (network_id, version DESC, coin_type_hash) WHERE shown;
CREATE INDEX coin_imported ON coin (network_id, version) WHERE imported;
`,
}
