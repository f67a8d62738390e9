-- What an address holds and moved, over all collections of a chain. Written behind the transfers, from what a queue says of them.

-- A token that an address holds.
-- Owner: nft/wallets
CREATE TABLE wallet_token (
  -- The hash of (chain, wallet) modulo 256, as that of a contract's address.
  partition smallint NOT NULL,
  -- The chain.
  chain_id bigint NOT NULL,
  -- The address of the holder.
  wallet bytea NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- The token, as in token.
  token_hash uuid NOT NULL,
  -- Pieces held, above zero; 1 for ERC-721.
  amount numeric NOT NULL,
  PRIMARY KEY (partition, chain_id, wallet, collection_id, token_hash)
);

-- A collection of which an address holds tokens.
-- Owner: nft/wallets
CREATE TABLE wallet_collection (
  -- The partition of the wallet.
  partition smallint NOT NULL,
  -- The chain.
  chain_id bigint NOT NULL,
  -- The address of the holder.
  wallet bytea NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- The partition of the collection.
  collection_partition smallint NOT NULL,
  -- Rows of wallet_token, at least one.
  tokens bigint NOT NULL,
  PRIMARY KEY (partition, chain_id, wallet, collection_id)
);

-- A transfer that an address gave or got; the zero address has none.
-- Owner: nft/wallets
CREATE TABLE wallet_transfer (
  -- The partition of the wallet.
  partition smallint NOT NULL,
  -- The chain.
  chain_id bigint NOT NULL,
  -- The address that gave or got it.
  wallet bytea NOT NULL,
  -- The place of the log, as in transfer.
  position bigint NOT NULL,
  -- The place within the log, as in transfer.
  item integer NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- The partition of the collection.
  collection_partition smallint NOT NULL,
  PRIMARY KEY (partition, chain_id, wallet, position, item)
);

-- How many addresses hold tokens of a collection: its rows in wallet_collection.
-- Owner: nft/wallets
CREATE TABLE owner_count (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- Addresses.
  owners bigint NOT NULL,
  PRIMARY KEY (partition, collection_id)
);
