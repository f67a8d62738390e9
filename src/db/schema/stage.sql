-- Changes of tokens in a merge of transfers. A staging table has rows only within a running transaction, and is empty for all others
-- (db/staging/stagingTables.ts). Staging tables are unlogged: a crash of PostgreSQL empties them, and a backup omits them.
-- Owner: nft/store
CREATE UNLOGGED TABLE stage_token (
  -- The partition of the collection.
  partition smallint,
  -- The collection.
  collection_id bigint,
  -- The token, as in token.
  token_hash uuid,
  -- The token id.
  token_id numeric,
  -- The recipient of the latest transfer, as owner of token.
  owner bytea,
  -- The recipient of the earliest mint.
  minter bytea,
  -- The position of the latest transfer of a positive amount.
  last_position bigint,
  -- The position of the earliest one.
  first_position bigint,
  -- The position of the earliest mint, as minted_position of token.
  minted_position bigint,
  -- ERC-721: 1, or 0 after a burn. ERC-1155: minted units minus burned ones.
  amount numeric,
  -- How many more transfers the token has.
  transfers integer,
  -- Transfers of ERC-1155 moved some of it: amounts add up.
  summed boolean
);

-- ERC-1155: changes of balances in a merge. A staging table, as stage_token.
-- Owner: nft/store
CREATE UNLOGGED TABLE stage_balance (
  -- The partition of the collection.
  partition smallint,
  -- The collection.
  collection_id bigint,
  -- The token.
  token_hash uuid,
  -- The address of the holder.
  holder bytea,
  -- Units more than before.
  amount numeric
);

-- ERC-1155: changes of tokens by merged balances. A staging table, as stage_token.
-- Owner: nft/store
CREATE UNLOGGED TABLE stage_held (
  -- The partition of the collection.
  partition smallint,
  -- The collection.
  collection_id bigint,
  -- The token.
  token_hash uuid,
  -- A former holder; null in the row that counts the token's holders.
  holder bytea,
  -- Change of the number of holders; null in the row of a former holder.
  change integer,
  -- Change of the units that balances below zero lack; null as change.
  lacking numeric
);

-- ERC-1155: tokens with exactly one holder after a merge. A staging table, as stage_token.
-- Owner: nft/store
CREATE UNLOGGED TABLE stage_sole (
  -- The partition of the collection.
  partition smallint,
  -- The collection.
  collection_id bigint,
  -- The token.
  token_hash uuid
);

-- Tokens of undone blocks, in the state of token_undo. A staging table, as stage_token.
-- Owner: nft/store
CREATE UNLOGGED TABLE stage_undo (
  -- The partition of the collection.
  partition smallint,
  -- The collection.
  collection_id bigint,
  -- The token.
  token_hash uuid,
  -- The address of the contract.
  address bytea,
  -- The token was an ERC-1155 one before.
  summed boolean,
  -- The owner before.
  owner bytea,
  -- The minter before.
  minter bytea,
  -- Its last_position before.
  last_position bigint,
  -- Its first_position before.
  first_position bigint,
  -- Its minted_position before.
  minted_position bigint,
  -- How many transfers it had before; null: the token did not exist.
  transfers integer
);

-- Changes of holders in a merge. A staging table, as stage_token.
-- Owner: nft/holders
CREATE UNLOGGED TABLE stage_holder (
  -- The partition of the collection.
  partition smallint,
  -- The collection.
  collection_id bigint,
  -- The address of the holder.
  holder bytea,
  -- Units more than before.
  amount numeric,
  -- Different tokens more than before.
  tokens bigint
);

-- Outcomes of metadata fetches. A staging table, as stage_token.
-- Owner: nft/metadata/store
CREATE UNLOGGED TABLE stage_metadata (
  -- The partition of the collection.
  partition smallint,
  -- The collection.
  collection_id bigint,
  -- The token.
  token_hash uuid,
  -- The token id.
  token_id numeric,
  -- due_at of the token when it was read.
  due_at timestamptz,
  -- Outcome of the attempt, as state of token_metadata.
  state text,
  -- Why there is no metadata.
  reason text,
  -- Failures in a row.
  attempts integer,
  -- The token's metadata, as record of token_metadata.
  record text,
  -- The normalized fields of its metadata.
  normalized text,
  -- The keys of its traits, as traits of token_metadata.
  traits uuid[],
  -- The address of its image.
  media_url text,
  -- The hash of that address.
  media_hash uuid,
  -- The address of its video, audio file or model.
  animation_url text,
  -- The hash of the metadata.
  document_hash bytea,
  -- When it was tried.
  at timestamptz,
  -- When it is retried; null: not before an event or a request.
  retry_at timestamptz,
  -- When its contract had last announced a change at that time.
  announced_at timestamptz,
  -- The dead host that the token waits for.
  host text
);
-- Not compressed: compression would take half of the transaction's time.
ALTER TABLE stage_metadata
  ALTER record SET STORAGE EXTERNAL,
  ALTER normalized SET STORAGE EXTERNAL,
  ALTER media_url SET STORAGE EXTERNAL;

-- Tokens that are no longer listed. A staging table, as stage_token.
-- Owner: nft/metadata/store
CREATE UNLOGGED TABLE stage_gone (
  -- The partition of the collection.
  partition smallint,
  -- The collection.
  collection_id bigint,
  -- The token.
  token_hash uuid
);

-- Current holdings of the tokens in rows of wallet_due; on a cluster, on the node of the wallet. A staging table, as stage_token.
-- Owner: nft/wallets
CREATE UNLOGGED TABLE stage_wallet (
  -- The partition of the wallet.
  partition smallint,
  -- The chain.
  chain_id bigint,
  -- The address.
  wallet bytea,
  -- The collection.
  collection_id bigint,
  -- The partition of the collection.
  collection_partition smallint,
  -- The token; null in a row for a wallet that may have no tokens of the collection any more.
  token_hash uuid,
  -- As amount of wallet_token; null: the wallet holds none.
  amount numeric,
  -- As facts of wallet_token.
  facts bytea,
  -- The position of an undone transfer of the wallet; null in all other rows.
  position bigint,
  -- The index of that transfer within its log.
  item integer
);

-- Tokens that a wallet sent, received or has again after an undo. A staging table, as stage_token.
-- Owner: nft/walletHistory
CREATE UNLOGGED TABLE stage_move (
  -- The partition of the wallet.
  partition smallint,
  -- The wallet.
  wallet_id bigint,
  -- The address of the contract.
  contract bytea,
  -- The token.
  token_hash uuid
);
