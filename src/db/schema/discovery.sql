-- Contracts with NFT transfers in the blocks of chains with chains.NAME.discover.

-- A contract with NFT transfers in a followed block, and its counts of the last day.
-- Owner: nft/discovery
CREATE TABLE discovered_contract (
  -- The hash of (chain, contract) modulo 256.
  partition smallint NOT NULL,
  -- The chain.
  chain_id bigint NOT NULL,
  -- The address of the contract.
  address bytea NOT NULL,
  -- The first followed block with its transfers.
  first_block bigint NOT NULL,
  -- The time of that block in seconds since 1970.
  first_time bigint NOT NULL,
  -- Followed blocks with its transfers. If there is only one, the row is deleted after discover.keepDays.
  blocks bigint NOT NULL,
  -- Transfers in its rows of discovered_hour.
  transfers bigint NOT NULL,
  -- Of these, mints.
  mints bigint NOT NULL,
  PRIMARY KEY (partition, chain_id, address)
);
-- Lists in the order first_seen.
CREATE INDEX discovered_contract_first ON discovered_contract (chain_id, first_time, first_block, address);
-- Lists in the order activity.
CREATE INDEX discovered_contract_active ON discovered_contract (chain_id, transfers, first_block, address);
-- The contracts without a transfer in a second block, the oldest first.
CREATE INDEX discovered_contract_once ON discovered_contract (chain_id, first_time) WHERE blocks = 1;

-- Transfers of a contract in an hour of the last day, by the time of its blocks.
-- Owner: nft/discovery
CREATE TABLE discovered_hour (
  -- The partition of the contract.
  partition smallint NOT NULL,
  -- The chain.
  chain_id bigint NOT NULL,
  -- The address of the contract.
  address bytea NOT NULL,
  -- Hours since 1970.
  hour bigint NOT NULL,
  -- Transfers of tokens.
  transfers bigint NOT NULL,
  -- Of these, mints.
  mints bigint NOT NULL,
  PRIMARY KEY (partition, chain_id, address, hour)
);
-- The hours that are no longer of the last day.
CREATE INDEX discovered_hour_past ON discovered_hour (chain_id, hour);

-- Transfers of a contract in a block that can still be undone.
-- Owner: nft/discovery
CREATE TABLE discovered_block (
  -- The partition of the contract.
  partition smallint NOT NULL,
  -- The chain.
  chain_id bigint NOT NULL,
  -- The number of the block.
  block_number bigint NOT NULL,
  -- The address of the contract.
  address bytea NOT NULL,
  -- The hour of the block, as in discovered_hour.
  hour bigint NOT NULL,
  -- Transfers of tokens; 0 once the hour is no longer of the last day.
  transfers bigint NOT NULL,
  -- Of these, mints.
  mints bigint NOT NULL,
  PRIMARY KEY (partition, chain_id, block_number, address)
);
-- With each block of a chain, rows of its final blocks are deleted.
CREATE INDEX discovered_block_chain ON discovered_block (chain_id, block_number);
