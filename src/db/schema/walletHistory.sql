-- Wallets whose history is read over all contracts of their chain, by the topics of logs.

-- A requested wallet of a chain whose wallets setting is chain, and the progress of its history.
-- Owner: nft/walletHistory
CREATE TABLE wallet (
  -- The hash of (chain, wallet) modulo 256, as that of a contract's address.
  partition smallint NOT NULL,
  -- The id by which other tables refer to the wallet.
  id bigint GENERATED ALWAYS AS IDENTITY,
  -- The chain.
  chain_id bigint NOT NULL,
  -- The address.
  address bytea NOT NULL,
  -- queued: waits for its time slice; syncing: history is being read; live: followed at the head; failed: see reason, tried again at retry_at;
  -- idle: nobody requested it in wallets.keepDays, so it is not followed; full: it has more transfers than wallets.maxTransfers;
  -- removed: its rows are being deleted.
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'syncing', 'live', 'failed', 'idle', 'full', 'removed')),
  -- Why it failed, as readable text.
  reason text,
  -- Failures in a row.
  attempts integer NOT NULL DEFAULT 0,
  -- When a failed one is tried again.
  retry_at timestamptz,
  -- The key of the first request, 0 for the configuration's own.
  requested_by bigint NOT NULL,
  -- Time of the first request.
  requested_at timestamptz NOT NULL DEFAULT now(),
  -- Time of the last request, to the hour.
  asked_at timestamptz NOT NULL DEFAULT now(),
  -- When its history was last read: the wallet that waited longest is next.
  turn_at timestamptz NOT NULL DEFAULT now(),
  -- When it first caught up with the head.
  live_since timestamptz,
  -- The first block of its history; null until it has started.
  from_block bigint,
  -- Blocks whose transfers are stored.
  coverage int8multirange NOT NULL DEFAULT '{}',
  -- The last block covered without a gap since from_block; null until there is one.
  to_block bigint,
  -- As in collection.
  covered_at timestamptz,
  -- As in collection.
  recent_blocks double precision NOT NULL DEFAULT 0,
  -- As in collection.
  recent_seconds double precision NOT NULL DEFAULT 0,
  -- Rows in wallet_move.
  transfers bigint NOT NULL DEFAULT 0,
  -- Rows in wallet_wide_log.
  wide_logs bigint NOT NULL DEFAULT 0,
  -- Of a full one: wallets.maxTransfers when it became full. It is read on when the setting is higher.
  full_above bigint,
  -- Incremented by every change that a page can show.
  version bigint NOT NULL DEFAULT 1,
  PRIMARY KEY (partition, id)
-- Each block with a transfer updates the wallet's row. On a full page the new version would need another page and new index entries.
) WITH (fillfactor = 80);
-- The wallet of an address.
CREATE UNIQUE INDEX wallet_address ON wallet (partition, chain_id, address) WHERE status <> 'removed';
-- Finds the next wallet to read on a chain, without those that wait for retry_at.
CREATE INDEX wallet_turn ON wallet (chain_id, (greatest(turn_at, retry_at))) WHERE status IN ('queued', 'syncing', 'failed');
-- The wallets that a chain is followed for.
CREATE INDEX wallet_wanted ON wallet (chain_id, status) WHERE status IN ('live', 'syncing', 'queued');
-- Counts the queued ones of a key, at each request for a new one.
CREATE INDEX wallet_waiting ON wallet (requested_by) WHERE live_since IS NULL AND status IN ('queued', 'syncing', 'failed');
-- The wallets without a request lately.
CREATE INDEX wallet_asked ON wallet (asked_at) WHERE status IN ('live', 'syncing', 'queued', 'failed');
-- Wallets of each status are counted once a minute.
CREATE INDEX wallet_status ON wallet (status);
-- The order of lists.
CREATE INDEX wallet_place ON wallet (chain_id, address);

-- A transfer from or to a wallet, of any contract.
-- Owner: nft/walletHistory
CREATE TABLE wallet_move (
  -- The partition of the wallet.
  partition smallint NOT NULL,
  -- The wallet.
  wallet_id bigint NOT NULL,
  -- The position of the log, as in transfer.
  position bigint NOT NULL,
  -- The index within the log, as in transfer.
  item integer NOT NULL,
  -- The address of the contract.
  contract bytea NOT NULL,
  -- The token, as in token.
  token_hash uuid NOT NULL,
  -- The token id.
  token_id numeric(78, 0) NOT NULL,
  -- As in transfer.
  from_address bytea NOT NULL,
  -- As in transfer.
  to_address bytea NOT NULL,
  -- As in transfer.
  amount numeric NOT NULL,
  -- As in transfer.
  transaction_hash bytea NOT NULL,
  -- As in transfer.
  transaction_index integer,
  -- As in transfer: null for ERC-721.
  operator bytea,
  -- As in transfer.
  block_hash bytea NOT NULL,
  -- As in transfer.
  block_time bigint,
  PRIMARY KEY (partition, wallet_id, position, item)
);
-- The transfers of a token, from which its holding is computed.
CREATE INDEX wallet_move_token ON wallet_move (partition, wallet_id, contract, token_hash, position, item);

-- An oversized log of a wallet: it contains more tokens than one log may have, so its transfers are skipped.
-- Owner: nft/walletHistory
CREATE TABLE wallet_wide_log (
  -- The partition of the wallet.
  partition smallint NOT NULL,
  -- The wallet.
  wallet_id bigint NOT NULL,
  -- The position of the log, as in transfer.
  position bigint NOT NULL,
  PRIMARY KEY (partition, wallet_id, position)
);

-- A token that a wallet holds, computed from wallet_move.
-- Owner: nft/walletHistory
CREATE TABLE wallet_holding (
  -- The partition of the wallet.
  partition smallint NOT NULL,
  -- The wallet.
  wallet_id bigint NOT NULL,
  -- The address of the contract.
  contract bytea NOT NULL,
  -- The token, as in token.
  token_hash uuid NOT NULL,
  -- The token id.
  token_id numeric(78, 0) NOT NULL,
  -- As in token.
  erc1155 boolean NOT NULL,
  -- Units held, above zero; 1 for ERC-721.
  amount numeric NOT NULL,
  -- The position of its latest transfer of a positive amount.
  last_position bigint NOT NULL,
  -- The position of its earliest one.
  first_position bigint NOT NULL,
  -- The position of its earliest mint; null: the wallet was not part of one.
  minted_position bigint,
  -- The recipient of that mint.
  minter bytea,
  -- The position at which the wallet last got some of it from another address; of its first transfer to itself if there is none.
  received_position bigint NOT NULL,
  -- The time of that block in seconds since 1970; null: not in the log.
  received_time bigint,
  PRIMARY KEY (partition, wallet_id, contract, token_hash)
);
-- Lists with order=acquired.
CREATE INDEX wallet_holding_received ON wallet_holding (partition, wallet_id, received_position, contract, token_hash);

-- A block that can still be undone, and in which a wallet has stored or skipped transfers.
-- Owner: nft/walletHistory
CREATE TABLE wallet_move_block (
  -- The partition of the wallet.
  partition smallint NOT NULL,
  -- The wallet.
  wallet_id bigint NOT NULL,
  -- The number of the block.
  block_number bigint NOT NULL,
  -- The chain.
  chain_id bigint NOT NULL,
  PRIMARY KEY (partition, wallet_id, block_number)
);
-- With each block of a chain, rows of its final blocks are deleted.
CREATE INDEX wallet_move_block_chain ON wallet_move_block (chain_id, block_number);
