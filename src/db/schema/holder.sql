-- Holders of collections in the order of their pages. Kept for collections with many holders, once a client requested these.

-- A collection whose holders are in `holder`. While they are being counted, `holder` has those up to a position.
-- Owner: nft/holders
CREATE TABLE holder_index (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- When a client requested it.
  requested_at timestamptz NOT NULL DEFAULT now(),
  -- Owners of ERC-721 tokens are counted up to this hash; null: none is counted yet.
  tokens_to uuid,
  -- Balances of ERC-1155 tokens are counted up to this hash, and those of this token up to balances_holder; null: none is counted yet.
  balances_to uuid,
  -- The address.
  balances_holder bytea,
  -- All are counted.
  built boolean NOT NULL DEFAULT false,
  -- Rows in holder, once all are counted.
  holders bigint NOT NULL DEFAULT 0,
  -- Units that all these holders have.
  pieces numeric NOT NULL DEFAULT 0,
  PRIMARY KEY (partition, collection_id)
);
-- The next one to build.
CREATE INDEX holder_index_building ON holder_index (requested_at) WHERE NOT built;

-- A holder of a collection. Merges of transfers change it with the tokens and balances.
-- Owner: nft/holders
CREATE TABLE holder (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- The address.
  holder bytea NOT NULL,
  -- Units of all of its tokens.
  amount numeric NOT NULL,
  -- Different tokens.
  tokens bigint NOT NULL,
  PRIMARY KEY (partition, collection_id, holder)
);
-- The order by amount, descending. A page reads this index alone.
CREATE INDEX holder_amount ON holder (partition, collection_id, (-amount), holder) INCLUDE (amount, tokens);
