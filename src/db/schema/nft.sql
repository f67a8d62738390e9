-- A collection (the NFTs of a contract), the progress of its history, and the data that its pages show besides tokens.
-- Owner: nft/store
CREATE TABLE collection (
  -- The hash of (chain, contract) modulo 256; it leads the key of every table that grows with collections.
  partition smallint NOT NULL,
  -- The id by which other tables refer to the collection.
  id bigint GENERATED ALWAYS AS IDENTITY,
  -- The chain of the contract.
  chain_id bigint NOT NULL,
  -- The address of the contract.
  address bytea NOT NULL,
  -- queued: waits for its time slice; syncing: history is being read; live: followed at the head; none: no NFT contract; nocode: no
  -- contract at all; failed: see reason, tried again at retry_at; known: not a collection, but a wallet has tokens of the contract
  -- (nft/walletHistory), or followed blocks have transfers of it (nft/discovery).
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'syncing', 'live', 'none', 'nocode', 'failed', 'known')),
  -- Known only because followed blocks have transfers of it: the row is deleted together with that in discovered_contract. False: wallets
  -- need the row, too.
  discovered boolean NOT NULL DEFAULT false,
  -- Why it failed, as readable text.
  reason text,
  -- Failures in a row.
  attempts integer NOT NULL DEFAULT 0,
  -- When a failed one is tried again; when the names of a known or live one are read.
  retry_at timestamptz,
  -- The key of the first request, 0 for the configuration's own.
  requested_by bigint,
  -- Time of the first request.
  requested_at timestamptz NOT NULL DEFAULT now(),
  -- When the contract was last checked for its standard.
  checked_at timestamptz,
  -- When its history was last read: the collection that waited longest is next.
  turn_at timestamptz NOT NULL DEFAULT now(),
  -- The standard by ERC-165, or by its first log; null until it is known. A live collection without one has moved
  -- no token yet. ERC-1155 if the contract claims both.
  standard text CHECK (standard IN ('ERC721', 'ERC1155')),
  -- True: the standard is from ERC-165 of the contract; false: from its logs.
  by_self boolean NOT NULL DEFAULT false,
  -- ERC-721: Transfers with two indexed addresses have a token id in their data. False: such logs are of coins.
  id_in_data boolean NOT NULL DEFAULT false,
  -- The contract emitted transfers of the other standard too, so it may have tokens of both. Stays true if these transfers were undone.
  mixed boolean NOT NULL DEFAULT false,
  -- Some of its Transfers do not index both addresses and the token, so the topics of a wallet do not find them. Stays true if these were undone.
  unindexed boolean NOT NULL DEFAULT false,
  -- While standard is null: its Transfers that index no token id are of coins. Only a log that indexes an id can show a standard.
  coins boolean NOT NULL DEFAULT false,
  -- Name, symbol and standard were read from the contract, and history that records no updates of metadata, at this block or an earlier one;
  -- null: not read yet.
  learned_block bigint,
  -- The block learned_block was undone: the contract is read again, as the address may now have another contract, or none.
  identity_undone boolean NOT NULL DEFAULT false,
  -- The block of the log that showed the standard; null: that block is final, or the standard is from ERC-165.
  form_block bigint,
  -- The name that the contract returns.
  name text,
  -- The symbol that the contract returns.
  symbol text,
  -- When it first caught up with the head.
  live_since timestamptz,
  -- The first block of its history, at which coverage starts.
  from_block bigint,
  -- Blocks whose logs are stored, each exactly once.
  coverage int8multirange NOT NULL DEFAULT '{}',
  -- The last block covered without a gap since from_block; null until there is one.
  to_block bigint,
  -- While the collection catches up with the head in parts: number of stored transfers of the block after to_block. It does so if it had
  -- too many transfers for one step of the chain (nft/index/followCollections.ts). Its data above the finalized block can be undone, as
  -- that of live collections. Null: the collection is live, or its history is being read.
  stored_of_next bigint,
  -- Blocks above this one were undone, but the collection still has some of their transfers, which are undone in parts
  -- (nft/store/undoInParts.ts). Until that ends, nothing else of the collection is stored, and stored_of_next is 0. Null: nothing is left
  -- to undo.
  undo_above bigint,
  -- When coverage last grew in history. With recent_blocks and recent_seconds it gives the current rate (nft/store/readingRate.ts).
  covered_at timestamptz,
  -- Recently read blocks; older ones count for less.
  recent_blocks double precision NOT NULL DEFAULT 0,
  -- Seconds in which these blocks were read, including pauses; older ones count for less.
  recent_seconds double precision NOT NULL DEFAULT 0,
  -- Tokens listed.
  tokens bigint NOT NULL DEFAULT 0,
  -- Rows in token, including burned tokens; null: not counted since the last change.
  token_rows bigint,
  -- Rows in transfer.
  transfers bigint NOT NULL DEFAULT 0,
  -- Tokens that ConsecutiveTransfers (ERC-2309) moved, without the first token of each log: ERC-721 rows of transfer with an item above 0,
  -- and range_moves of left_out.
  range_moves bigint NOT NULL DEFAULT 0,
  -- Skipped oversized logs: rows of left_out with reason `wide`.
  wide_logs bigint NOT NULL DEFAULT 0,
  -- Skipped transfers over sync.maxTokens: those of rows of left_out with reason `surplus`.
  surplus_transfers bigint NOT NULL DEFAULT 0,
  -- Incremented by every change that a page can show.
  version bigint NOT NULL DEFAULT 1,
  -- Incremented by every change of traits.
  traits_version bigint NOT NULL DEFAULT 0,
  -- A sweep still has to make tokens due in metadata_due: those minted in history, and those of metadata_stale.
  metadata_unswept boolean NOT NULL DEFAULT false,
  -- When a sweep last scanned it.
  metadata_swept_at timestamptz,
  -- Position of the running sweep, a hash; null: none runs.
  metadata_swept_to uuid,
  -- Ids whose metadata is to be read again by the next sweep: whole numbers from each lower bound to below the upper one.
  metadata_stale nummultirange NOT NULL DEFAULT '{}',
  -- The ids that the running sweep makes due.
  metadata_sweeping nummultirange NOT NULL DEFAULT '{}',
  -- When a client last requested all of its metadata; events of the contract do not count.
  metadata_asked_at timestamptz,
  -- The earliest of its rows in metadata_due, or an earlier time; null: none is due.
  metadata_due_at timestamptz,
  -- When its metadata was last read: the collection that waited longest is next.
  metadata_turn_at timestamptz NOT NULL DEFAULT now(),
  -- Tokens whose metadata was tried at least once.
  metadata_tried bigint NOT NULL DEFAULT 0,
  -- Tokens that have metadata.
  metadata_documents bigint NOT NULL DEFAULT 0,
  -- Length of the longest metadata that one of its tokens ever had in a record, in characters; never lowered.
  metadata_longest integer NOT NULL DEFAULT 0,
  -- When a client last requested rarity ranks; null: never.
  rarity_asked_at timestamptz,
  -- Earliest time of the next ranking; null: at once.
  rarity_due_at timestamptz,
  -- The traits_version of its ranks; null: its tokens were never ranked.
  rarity_version bigint,
  -- How many tokens were ranked.
  rarity_documents bigint,
  -- Its spam score.
  spam_score integer NOT NULL DEFAULT 0,
  -- The rules and lists that apply to it.
  spam_reasons text[] NOT NULL DEFAULT '{}',
  -- possible_spam of its records.
  possible_spam boolean NOT NULL DEFAULT false,
  -- verified_collection of its records.
  verified boolean NOT NULL DEFAULT false,
  -- The operator's override of possible_spam; null: none.
  spam_override boolean,
  -- The operator's override of verified_collection; null: none.
  verified_override boolean,
  -- When rules and lists were last applied.
  assessed_at timestamptz,
  -- Digest of these rules and lists (nft/spam/assessCollections.ts).
  assessed_by bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (partition, id),
  UNIQUE (partition, chain_id, address)
);
-- Finds the next collection to read on a chain, without those that wait for retry_at.
CREATE INDEX collection_due ON collection (chain_id, (greatest(turn_at, retry_at))) WHERE status IN ('queued', 'syncing', 'failed');
-- The collections that a chain is followed for; its follower loads the live ones.
CREATE INDEX collection_wanted ON collection (chain_id, status) WHERE status IN ('live', 'syncing', 'queued');
-- The collections that catch up with the head in parts.
CREATE INDEX collection_catching_up ON collection (chain_id) WHERE stored_of_next IS NOT NULL;
-- The collections whose history came near the head.
CREATE INDEX collection_joinable ON collection (chain_id, to_block) WHERE status = 'syncing';
-- Counts the queued ones of a key, at each request for a new one.
CREATE INDEX collection_waiting ON collection (requested_by) WHERE live_since IS NULL AND status IN ('queued', 'syncing', 'failed');
-- Addresses without a contract are deleted, the oldest first.
CREATE INDEX collection_nocode ON collection (checked_at) WHERE status = 'nocode';
-- Collections of each status are counted once a minute, without reading rows.
CREATE INDEX collection_status ON collection (status) WHERE status <> 'known';
-- The order of lists.
CREATE INDEX collection_place ON collection (chain_id, address) WHERE status <> 'known';
-- The collections whose transfers the topics of a wallet do not find.
CREATE INDEX collection_unindexed ON collection (chain_id) WHERE unindexed;
-- Known contracts, and live collections, whose names are to be read.
CREATE INDEX collection_unnamed ON collection (retry_at) WHERE status IN ('known', 'live') AND retry_at IS NOT NULL;
-- Known contracts whose name was read, and that are not assessed yet.
CREATE INDEX collection_unjudged ON collection (checked_at) WHERE status = 'known' AND assessed_at IS NULL AND checked_at IS NOT NULL;
-- Known contracts that are not collections.
CREATE INDEX collection_known ON collection (chain_id, address) WHERE status = 'known';
-- A search finds collections by how their names begin, in lower case: see nft/pages/collections/searchCollections.ts.
CREATE INDEX collection_name ON collection (lower(left(name, 100)) text_pattern_ops) WHERE name IS NOT NULL AND status <> 'known';
-- Finds the next collection whose metadata is read.
CREATE INDEX collection_metadata_due ON collection (metadata_due_at) WHERE metadata_due_at IS NOT NULL;
-- Finds the next collection to sweep.
CREATE INDEX collection_unswept ON collection ((coalesce(metadata_swept_at, '-infinity'))) WHERE metadata_unswept AND status = 'live';
-- Collections whose ranks clients requested.
CREATE INDEX collection_ranked ON collection (rarity_asked_at) WHERE rarity_asked_at IS NOT NULL;
-- Finds contracts that were read in undone blocks.
CREATE INDEX collection_learned ON collection (chain_id, learned_block) WHERE learned_block IS NOT NULL;
-- Finds contracts whose standard was shown in an undone block.
CREATE INDEX collection_formed ON collection (chain_id, form_block) WHERE form_block IS NOT NULL;
-- Contracts whose name, symbol and standard must be read again.
CREATE INDEX collection_undone ON collection (chain_id) WHERE identity_undone;
-- The collection that was assessed longest ago.
CREATE INDEX collection_unassessed ON collection ((coalesce(assessed_at, '-infinity'))) WHERE status = 'live';
-- The collections that other rules or lists assessed.
CREATE INDEX collection_basis ON collection (partition, assessed_by)
WHERE (status = 'live' OR status = 'known' AND checked_at IS NOT NULL) AND assessed_at IS NOT NULL;

-- A token: its owner by its latest transfer, its minter by its earliest, the amount in existence.
-- Owner: nft/store
CREATE TABLE token (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- md5 of the contract's address and the decimal token id: it orders and splits a collection.
  token_hash uuid NOT NULL,
  -- The token id.
  token_id numeric(78, 0) NOT NULL,
  -- ERC-721: the holder, null when burned. ERC-1155: the holder if there is exactly one.
  owner bytea,
  -- The recipient of the earliest mint; null while no mint is known.
  minter bytea,
  -- The position of its latest transfer of a positive amount: block number * 2^20 + log index, so that one comparison orders two logs of a
  -- chain. null: no transfer had a positive amount.
  last_position bigint,
  -- The position of its earliest transfer of a positive amount; null as last_position.
  first_position bigint,
  -- Existing units; the token is listed while above zero. ERC-1155: the sum of its balances above zero.
  amount numeric NOT NULL,
  -- Holders with a balance above zero.
  holders integer NOT NULL,
  -- Whether it was listed before the last merge that changed it. Only merges use it: they count newly listed tokens without reading each
  -- token first.
  was_listed boolean NOT NULL DEFAULT false,
  -- ERC-1155 transfers moved some of it: they alone decide its owner, amount and holders. False: transfers of ERC-721 do.
  erc1155 boolean NOT NULL DEFAULT false,
  -- Its rows in transfer.
  transfers integer NOT NULL DEFAULT 0,
  -- The position of the earliest mint, if other transfers precede it; null: it is first_position, or no mint is known.
  minted_position bigint,
  PRIMARY KEY (partition, collection_id, token_hash)
);

-- ERC-1155: the units of a token that a holder has.
-- Owner: nft/store
CREATE TABLE balance (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- The token, as in token.
  token_hash uuid NOT NULL,
  -- The address of the holder.
  holder bytea NOT NULL,
  -- Units held; below zero while history is read out of order, or if a contract moves units that nobody had.
  amount numeric NOT NULL,
  -- Whether it was above zero before the last merge that changed it, as was_listed of token.
  was_held boolean NOT NULL DEFAULT false,
  -- The amount before that merge if it was below zero, else null.
  was_below numeric,
  PRIMARY KEY (partition, collection_id, token_hash, holder)
);

-- A transfer of one token.
-- Owner: nft/store
CREATE TABLE transfer (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- The position of its log: block number * 2^20 + log index.
  position bigint NOT NULL,
  -- Index within the log, from 0: TransferBatch and ConsecutiveTransfer move several tokens.
  item integer NOT NULL,
  -- The token id.
  token_id numeric(78, 0) NOT NULL,
  -- The sender; the zero address for a mint.
  from_address bytea NOT NULL,
  -- The recipient; the zero address for a burn.
  to_address bytea NOT NULL,
  -- Units; 1 for ERC-721.
  amount numeric NOT NULL,
  -- The hash of its transaction.
  transaction_hash bytea NOT NULL,
  -- The index of its transaction in the block, from its log (transactionIndex); null: the node returned none.
  transaction_index integer,
  -- ERC-1155: the operator of its log; ERC-721: null.
  operator bytea,
  -- The hash of its block, from its log.
  block_hash bytea NOT NULL,
  -- The time of its block in seconds since 1970; null: not in the log, and not requested yet.
  block_time bigint,
  PRIMARY KEY (partition, collection_id, position, item)
);
-- The transfers of a token, and its state at the end of a block.
CREATE INDEX transfer_token ON transfer (partition, collection_id, token_id, position, item);

-- Ranges of 128 blocks in which a collection has transfers. The transfers of a chain or a block are found by it. A row for each block
-- would cost as much as the transfers themselves.
-- Owner: nft/store
CREATE TABLE transfer_range (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The chain.
  chain_id bigint NOT NULL,
  -- Block number / 128. The collection has transfers in at least one of these blocks.
  range bigint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  PRIMARY KEY (partition, chain_id, range, collection_id)
);
-- The transfers of a chain in their order.
CREATE INDEX transfer_range_chain ON transfer_range (chain_id, range, partition, collection_id);

-- State of a token before a block that can still be undone.
-- Owner: nft/store
CREATE TABLE token_undo (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- The block that changed the token.
  block_number bigint NOT NULL,
  -- The token, as in token.
  token_hash uuid NOT NULL,
  -- Its owner before, as in token.
  owner bytea,
  -- Its minter before, as in token.
  minter bytea,
  -- As in token.
  last_position bigint,
  -- As in token.
  first_position bigint,
  -- As in token.
  minted_position bigint,
  -- As in token; null: the token did not exist.
  transfers integer,
  -- As in token.
  erc1155 boolean,
  -- The chain of the collection.
  chain_id bigint NOT NULL,
  PRIMARY KEY (partition, collection_id, block_number, token_hash)
);
-- With each block of a chain, rows of its final blocks are deleted.
CREATE INDEX token_undo_chain ON token_undo (chain_id, block_number);

-- Deployer and block of a contract, read at the first request; of final blocks only.
-- Owner: nft/blocks
CREATE TABLE contract_deployment (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- Sender of the transaction that created it; null: another contract created it.
  deployer bytea,
  -- Its block.
  block_number bigint NOT NULL,
  PRIMARY KEY (partition, collection_id)
);

-- Sender of the transaction of a mint, read at the first request for airdrops.
-- Owner: nft/blocks
CREATE TABLE transaction_sender (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection whose tokens it minted.
  collection_id bigint NOT NULL,
  -- Its hash.
  transaction_hash bytea NOT NULL,
  -- The sender: the same on every fork, as the hash covers it.
  sender bytea NOT NULL,
  PRIMARY KEY (partition, collection_id, transaction_hash)
);

-- A log with skipped transfers.
-- Owner: nft/store
CREATE TABLE left_out (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- The position of the log: block number * 2^20 + log index.
  position bigint NOT NULL,
  -- The chain of the collection.
  chain_id bigint NOT NULL,
  -- `wide`: an oversized log, with more tokens than one log may have; `surplus`: its tokens are over sync.maxTokens.
  reason text NOT NULL CHECK (reason IN ('wide', 'surplus')),
  -- Number of skipped transfers.
  transfers numeric NOT NULL,
  -- Of these, those that count in range_moves of collection.
  range_moves bigint NOT NULL,
  -- The hash of its transaction.
  transaction_hash bytea NOT NULL,
  PRIMARY KEY (partition, collection_id, position)
);
-- A reorg deletes the rows of removed blocks.
CREATE INDEX left_out_chain ON left_out (chain_id, position);

-- A removed collection, while other tables still have rows of it.
-- Owner: nft/store
CREATE TABLE collection_removal (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The id that the collection had.
  id bigint NOT NULL,
  -- The chain of the collection.
  chain_id bigint NOT NULL,
  -- When it was removed.
  noted_at timestamptz NOT NULL DEFAULT now(),
  -- When a server deletes the remaining rows; postponed while a command deletes them.
  due_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (partition, id)
);
