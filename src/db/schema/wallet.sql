-- Tokens and transfers of an address over all collections of a chain, written from a queue of transfers.

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
  -- Units held, above zero; 1 for ERC-721.
  amount numeric NOT NULL,
  -- The fields of an ERC-721 token's record besides its owner, so that a page of a wallet does not look up the token. Its parts:
  -- nft/transfers/tokenFacts.ts. null: several addresses can hold the token, and each of their transfers would change this value.
  facts bytea,
  -- Whether the wallet held it before it was written last, as was_listed of token.
  was_held boolean NOT NULL DEFAULT false,
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
  -- Whether there was one before it was written last, as was_listed of token.
  was_held boolean NOT NULL DEFAULT false,
  PRIMARY KEY (partition, chain_id, wallet, collection_id)
);

-- A transfer from or to an address; the zero address has none.
-- Owner: nft/wallets
CREATE TABLE wallet_transfer (
  -- The partition of the wallet.
  partition smallint NOT NULL,
  -- The chain.
  chain_id bigint NOT NULL,
  -- The sender or recipient.
  wallet bytea NOT NULL,
  -- The position of the log, as in transfer.
  position bigint NOT NULL,
  -- The index within the log, as in transfer.
  item integer NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- The partition of the collection.
  collection_partition smallint NOT NULL,
  -- Last in the key: two blocks of one number may have transfers of two collections at one position, until both are processed.
  PRIMARY KEY (partition, chain_id, wallet, position, item, collection_id)
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

-- Pending transfers, a row for each group that was stored together. The tables above do not have these transfers yet, or still have undone
-- ones. Processing a row makes the tables equal to `transfer`, `token` and `balance` at that time.
-- Owner: nft/wallets
CREATE TABLE wallet_due (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- Rows are processed in this order.
  id bigint GENERATED ALWAYS AS IDENTITY,
  -- The chain of the collection.
  chain_id bigint NOT NULL,
  -- The transfers were undone, or are of a collection that is followed, or was before; rows of history wait for this one.
  at_head boolean NOT NULL,
  -- The position of the first transfer; for undone ones that of the last block that is kept.
  from_position bigint NOT NULL,
  -- The index of the first transfer within its log.
  from_item integer NOT NULL DEFAULT 0,
  -- The position of the last transfer.
  to_position bigint NOT NULL,
  -- The index of the last transfer within its log.
  to_item integer NOT NULL DEFAULT 2147483647,
  -- How many transfers there are at most.
  transfers integer NOT NULL,
  -- For undone transfers: senders and recipients, and the addresses that have a token again. This list and the next three have the same
  -- length. null: the transfers were stored.
  undone_wallets bytea[],
  -- The token of each, as in token.
  undone_tokens uuid[],
  -- The position of the undone transfer; null: the owner has the token again.
  undone_positions bigint[],
  -- The index of the undone transfer within its log.
  undone_items integer[],
  -- The transfers are in wallet_transfer; the wallets' tokens are still pending.
  transfers_written boolean NOT NULL DEFAULT false,
  PRIMARY KEY (partition, collection_id, id)
);
-- The next rows to process.
CREATE INDEX wallet_due_turn ON wallet_due (at_head, id);
-- The collections whose tokens can be built.
CREATE INDEX wallet_due_written ON wallet_due (partition, collection_id, id) WHERE transfers_written;
-- Progress of the wallet tables of a chain.
CREATE INDEX wallet_due_chain ON wallet_due (chain_id, from_position);
