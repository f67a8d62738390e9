-- State of a token's metadata.
-- Owner: nft/metadata/store
CREATE TABLE token_metadata (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- The token, as in token.
  token_hash uuid NOT NULL,
  -- ok: metadata is the last content of the URI; failed: the fetch failed and is retried; permanent: not retried automatically.
  state text NOT NULL CHECK (state IN ('ok', 'failed', 'permanent')),
  -- Why the fetch failed, as readable text.
  reason text,
  -- Failures in a row.
  attempts integer NOT NULL,
  -- The token's metadata as in a record: token_uri, metadata and the sync times, as JSON text without braces.
  record text NOT NULL,
  -- The normalised form as JSON text. Each count of a trait is a placeholder: U+001F and the trait's key as 32 hex digits. null: no
  -- metadata.
  normalized text,
  -- The keys of its traits that have a value, each once. A key is the md5 of trait and value. Metadata without traits has one key of zeros.
  traits uuid[] NOT NULL DEFAULT '{}',
  -- The source of its preview image; null: none.
  media_url text,
  -- SHA-256 of the metadata.
  document_hash bytea,
  -- When the metadata was read last.
  fetched_at timestamptz,
  -- When reading it was last tried.
  tried_at timestamptz NOT NULL,
  -- md5 of media_url, for a data: URI of the whole URI; null: media_url is null.
  media_hash uuid,
  -- The address of its video, audio file or model; null: none, or media_url is null.
  animation_url text,
  -- Number of consecutive reads that found unchanged metadata soon after the previous read.
  unchanged smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (partition, collection_id, token_hash)
);
-- Rows of up to 8 kB stay inline and uncompressed, so API pages decompress nothing.
ALTER TABLE token_metadata SET (toast_tuple_target = 8160);

-- A token with pending metadata.
-- Owner: nft/metadata/store
CREATE TABLE metadata_due (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- The token, as in token.
  token_hash uuid NOT NULL,
  -- The token id.
  token_id numeric(78, 0) NOT NULL,
  -- When it is due.
  due_at timestamptz NOT NULL,
  -- Failures in a row.
  attempts integer NOT NULL DEFAULT 0,
  -- Priority by requester, the greatest first: see nft/metadata/store/schedule.ts.
  priority smallint NOT NULL DEFAULT 0,
  -- When its contract last announced a change while the token was due: an attempt that began earlier is repeated. In the future: a client requested
  -- the token, and the attempt is repeated then.
  announced_at timestamptz,
  -- The dead host that it waits for, in collection_host; its due_at is infinity, except during a new attempt.
  host text,
  -- Since when it waits for that host.
  parked_at timestamptz,
  PRIMARY KEY (partition, collection_id, token_hash)
);
-- The order in which a collection's tokens are read. The hash makes each lookup of a token exact: without statistics, the planner may use
-- this index instead of the primary key.
CREATE INDEX metadata_due_order ON metadata_due (partition, collection_id, priority, due_at, token_hash DESC);
-- The tokens that wait for a dead host.
CREATE INDEX metadata_due_parked ON metadata_due (partition, collection_id, host, parked_at) WHERE host IS NOT NULL;

-- Former versions of a token's metadata.
-- Owner: nft/metadata/store
CREATE TABLE token_document (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- The token, as in token.
  token_hash uuid NOT NULL,
  -- When this version was replaced.
  until timestamptz NOT NULL,
  -- When it was first read; null: not known.
  since timestamptz,
  -- SHA-256 of the metadata.
  document_hash bytea,
  -- As in token_metadata.
  record text NOT NULL,
  -- How many older versions of the token's metadata were deleted; only the oldest stored version has this number.
  dropped integer NOT NULL DEFAULT 0,
  PRIMARY KEY (partition, collection_id, token_hash, until)
);

-- How many tokens have a trait.
-- Owner: nft/metadata/store
CREATE TABLE trait_count (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- The key of the trait, as in traits of token_metadata.
  trait uuid NOT NULL,
  -- Tokens that have it, at least one.
  tokens bigint NOT NULL,
  -- The trait_type; null: the metadata has none.
  trait_type text,
  -- The value of the trait as JSON text, as in the first metadata that was read with it.
  value text NOT NULL,
  PRIMARY KEY (partition, collection_id, trait)
);
-- The order of lists: types together, values of a type together. An index entry has at most 2,704 bytes, so it contains only the first
-- characters; the key separates equal beginnings.
CREATE INDEX trait_count_order ON trait_count (partition, collection_id, (coalesce(left(trait_type, 100), '') COLLATE "C"),
  (left(value, 100) COLLATE "C"), trait);

-- The tokens with a trait, in the order of pages: traits of token_metadata, by trait.
-- Owner: nft/metadata/store
CREATE TABLE token_trait (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- The key of the trait, as in traits of token_metadata; of zeros: the token has metadata without traits.
  trait uuid NOT NULL,
  -- The token, as in token.
  token_hash uuid NOT NULL,
  PRIMARY KEY (partition, collection_id, trait, token_hash)
);

-- The rarity rank of a token among those that had metadata when its collection was last ranked (docs/metadata.md).
-- Owner: nft/rarity
CREATE TABLE token_rarity (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- The token, as in token.
  token_hash uuid NOT NULL,
  -- 1 for the rarest; equally rare tokens share a rank.
  rank bigint NOT NULL,
  PRIMARY KEY (partition, collection_id, token_hash)
);

-- Metadata updates of blocks that can still be undone: of tokens, and of the contract itself.
-- Owner: nft/metadata/store
CREATE TABLE metadata_undo (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- The chain of the collection.
  chain_id bigint NOT NULL,
  -- The block.
  block_number bigint NOT NULL,
  -- Tokens with changed metadata.
  tokens uuid[] NOT NULL DEFAULT '{}',
  -- Ids of further tokens, as in metadata_stale of collection.
  ids nummultirange NOT NULL DEFAULT '{}',
  PRIMARY KEY (partition, collection_id, block_number)
);
-- With each block of a chain, rows of its final blocks are deleted.
CREATE INDEX metadata_undo_chain ON metadata_undo (chain_id, block_number);

-- A metadata host of a collection; only the first hosts are stored.
-- Owner: nft/metadata/store
CREATE TABLE collection_host (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- host:port of an address; ipfs or arweave for all gateways together.
  host text NOT NULL,
  -- Since when the host counts as dead; null: it responds.
  dead_since timestamptz,
  -- Attempts in a row without a response.
  failures integer NOT NULL DEFAULT 0,
  -- The error of the last one.
  fault text,
  -- Time of the last one.
  fault_at timestamptz,
  -- Next attempt at a dead host.
  retry_at timestamptz,
  PRIMARY KEY (partition, collection_id, host)
);

-- Metadata of a contract by contractURI (ERC-7572), read at the first request.
-- Owner: nft/metadata/store
CREATE TABLE contract_metadata (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- The chain of the collection.
  chain_id bigint NOT NULL,
  -- When it is read next; null: not before a request.
  due_at timestamptz DEFAULT now(),
  -- Failures in a row.
  attempts integer NOT NULL DEFAULT 0,
  -- Time of the last attempt.
  tried_at timestamptz,
  -- Why there is no metadata; null: there is some, or no attempt was made yet.
  reason text,
  -- Name of the collection.
  name text,
  -- Description of the collection.
  description text,
  -- Address of its image.
  image text,
  -- Address of its banner.
  banner_image text,
  -- Address of its page.
  external_link text,
  PRIMARY KEY (partition, collection_id)
);
-- The next ones to read.
CREATE INDEX contract_metadata_due ON contract_metadata (due_at) WHERE due_at IS NOT NULL;
