// Written by scripts/writeDocs.ts from openapi.json.
export interface paths {
    "/api/v2/nft/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * NFTs of a contract
         * @description In order of token_hash, descending. The first request for a contract starts its indexing, and pages hold what is known so far. Also at /api/v2.2.
         */
        get: operations["getContractNFTs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/nft/{address}/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One NFT
         * @description The record of one token; 404 where it is not listed, or not known yet. Also at /api/v2.2.
         */
        get: operations["getNFT"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/nft/getMultipleNFTs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * NFTs by contract and id
         * @description In the order asked, each once; tokens that are not listed, or not known yet, are left out. The first request for a contract starts its indexing. The headers tell what holds for all contracts that are named: the lowest progress, the lowest block covered. Also at /api/v2.2.
         */
        post: operations["getMultipleNFTs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/nft/{address}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metadata of a contract
         * @description Name, symbol and standard of a contract. The first request for a contract starts its indexing; until the server has asked the contract, they are null. Also at /api/v2.2.
         */
        get: operations["getNFTContractMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/nft/{address}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All NFTs of a contract as a file
         * @description The list of a contract in its order, token_hash descending, with metadata: in ndjson the records with normalized_metadata, in csv their members as columns. The file is made when it is first asked for, read page by page, and kept while the collection does not change. A key has one file made at once, a server two: 429. Cells of csv that begin with = + - @ get an apostrophe before them. Also at /api/v2.2.
         */
        get: operations["exportContractNFTs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/nft/{address}/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All holders of a contract at a block as a file
         * @description Token id, owner and amount of everybody who held a token at the end of a block, in the order of token ids, then owners. x-snapshot-root is the root of the standard tree of `@openzeppelin/merkle-tree` with the leaves (address owner, uint256 token id, uint256 amount), for an airdrop contract; it is missing where nobody holds anything. The file is made when it is first asked for, and kept. A key has one file made at once, a server two: 429. Also at /api/v2.2.
         */
        get: operations["getContractSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/nft/{address}/{token_id}/metadata/resync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a token's metadata again
         * @description The document is read again, but no sooner than a minute after the last time. The answer comes at once, with the state of the document.
         */
        get: operations["reSyncMetadata"];
        put?: never;
        /**
         * Read a token's metadata again
         * @description The document is read again, but no sooner than a minute after the last time. The answer comes at once, with the state of the document.
         */
        post: operations["reSyncMetadataByPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/nft/{address}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Read the metadata of a whole contract again
         * @description At most once in ten minutes. A contract that is not indexed yet is indexed.
         */
        put: operations["syncNFTContract"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/nft/{address}/{token_id}/metadata/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a token says and said before
         * @description Newest first, each from the time at which it was first read until another one was. The server keeps the present document and the latest 99 before it, of at most 16 MiB together.
         */
        get: operations["getNFTMetadataHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/nft/{address}/traits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Traits of a contract
         * @description Every value of every trait that tokens of the contract have now, by type and value, with how many tokens have it. The first request for a contract starts its indexing. Also at /api/v2.2.
         */
        get: operations["getNFTTraits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/nft/{address}/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transfers of a contract
         * @description In the order of the chain, the latest first where order is not ASC. The first request for a contract starts its indexing, and pages hold what is known so far. Also at /api/v2.2.
         */
        get: operations["getNFTContractTransfers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/nft/{address}/{token_id}/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transfers of an NFT
         * @description In the order of the chain, the latest first where order is not ASC. The first request for a contract starts its indexing, and pages hold what is known so far. Also at /api/v2.2.
         */
        get: operations["getNFTTransfers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/nft/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transfers of a chain
         * @description Of the blocks between two blocks or dates, both included. Covers the collections that are indexed on the chain, as x-index-collections and x-index-to-block tell. In the order of the chain, the latest first where order is not ASC. Also at /api/v2.2.
         */
        get: operations["getNFTTransfersFromToBlock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/block/{block}/nft/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transfers of a block
         * @description 404 where the chain has no block of a hash that is given. Covers the collections that are indexed on the chain, as x-index-collections and x-index-to-block tell. In the order of the chain, the latest first where order is not ASC. Also at /api/v2.2.
         */
        get: operations["getNFTTransfersByBlock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/nft/{address}/owners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Owners of a contract
         * @description A record for each token and each of its owners. In order of token_hash, descending, then of owner_of. The first request for a contract starts its indexing, and pages hold what is known so far. Also at /api/v2.2.
         */
        get: operations["getNFTOwners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/nft/{address}/{token_id}/owners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Owners of an NFT
         * @description A record for each owner; none where the token is not listed. In order of token_hash, descending, then of owner_of. The first request for a contract starts its indexing, and pages hold what is known so far. Also at /api/v2.2.
         */
        get: operations["getNFTTokenIdOwners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/nft/{address}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Statistics of a contract
         * @description How many tokens, owners and transfers a contract has. The first request for a contract starts its indexing. Owners are counted a moment behind the transfers: x-index-owners-to-block says how far. Also at /api/v2.2.
         */
        get: operations["getNFTCollectionStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/nft/{address}/{token_id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Statistics of an NFT
         * @description How much of a token exists, and how many owners and transfers it has; zeros where nothing is known of it. The first request for a contract starts its indexing. Also at /api/v2.2.
         */
        get: operations["getNFTTokenStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/{wallet}/nft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * NFTs of a wallet
         * @description By collection, the one last indexed first, and in it in order of token_hash, descending. Covers the collections that are indexed on the chain, as x-index-collections and x-index-to-block tell. A page may hold fewer than limit and have a cursor. Also at /api/v2.2.
         */
        get: operations["getWalletNFTs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/{wallet}/nft/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Collections of a wallet
         * @description The collections of which a wallet holds tokens, the one last indexed first. Covers the collections that are indexed on the chain, as x-index-collections and x-index-to-block tell. A page may hold fewer than limit and have a cursor. Also at /api/v2.2.
         */
        get: operations["getWalletNFTCollections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/{wallet}/nft/transfers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Transfers of a wallet
         * @description What a wallet gave and got, in the order of the chain, the latest first where order is not ASC. Covers the collections that are indexed on the chain, as x-index-collections and x-index-to-block tell. With contract_addresses a page may hold fewer than limit, even none, and have a cursor. Also at /api/v2.2.
         */
        get: operations["getWalletNFTTransfers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Chains of this server
         * @description Every chain that requests to this server can name: those that it knows and has public nodes for, and those of its configuration. No request enables another one. Also at /api/v2.2.
         */
        get: operations["getChains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/coins/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Latest deployed coins
         * @description Newest first, by transaction_version_created descending, then coin_type_hash.
         */
        get: operations["getLatestCoins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/coins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Coins by their hashes
         * @description In the order asked; unknown hashes are left out, and a hash asked twice is given once.
         */
        get: operations["getCoinsByHashes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/aptos/{network}/coins/latest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Latest deployed coins of a network
         * @description Newest first, by transaction_version_created descending, then coin_type_hash.
         */
        get: operations["getLatestCoinsOfNetwork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/aptos/{network}/coins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Coins by their hashes of a network
         * @description In the order asked; unknown hashes are left out, and a hash asked twice is given once.
         */
        get: operations["getCoinsByHashesOfNetwork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/streams/evm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All streams
         * @description Page by page, in the order in which they were made.
         */
        get: operations["listStreams"];
        /**
         * Make a stream
         * @description The address of the stream gets a test webhook first. Where that gets no 2xx, the stream is made paused and its statusMessage says why.
         */
        put: operations["createStream"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/streams/evm/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One stream
         * @description Its definition, its state and its secret.
         */
        get: operations["getStream"];
        put?: never;
        /**
         * Change a stream
         * @description Fields that are left out stay. A new webhookUrl gets a test webhook first, as when the stream was made.
         */
        post: operations["updateStream"];
        /**
         * Delete a stream
         * @description Deletes the stream, its addresses and the webhooks that are still to be sent. Its statistics stay: `/stats/{streamId}` keeps answering, and `/stats` keeps counting it.
         */
        delete: operations["deleteStream"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/streams/evm/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause or resume a stream
         * @description active sends the webhooks that waited and sets the success rate of the address back to 100. A paused stream keeps its place: resuming matches the blocks since then, leaves them out where resumeFrom is now, or goes on with the blocks that fromBlocks names. effectiveBlocks names the first block that is matched again.
         */
        post: operations["setStreamStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/streams/evm/{id}/address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Addresses of a stream
         * @description Page by page, in the order of their bytes.
         */
        get: operations["listStreamAddresses"];
        put?: never;
        /**
         * Add addresses to a stream
         * @description With fromBlocks, or where the stream was made with fromBlocks, the addresses also get their history from that block on: further webhooks with what the earlier ones of the stream do not hold.
         */
        post: operations["addStreamAddresses"];
        /**
         * Remove addresses from a stream
         * @description Addresses that the stream does not watch are ignored.
         */
        delete: operations["removeStreamAddresses"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Statistics of all streams
         * @description The sum over all streams, deleted ones included, and in streams the counters of each.
         */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats/{streamId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Statistics of a stream
         * @description Counters of the stream since it was made, also after it was deleted. They agree with the ledger of its webhooks at any moment.
         */
        get: operations["getStatsById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stats/{streamId}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Statistics of a stream by minute or hour
         * @description Minutes or hours (UTC) in which nothing was counted are left out.
         */
        get: operations["getStatsHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Webhooks, the latest first
         * @description A page whose payloads come to more than 4 MiB has fewer items than its limit, and a cursor. So may a page with status=delivered where most webhooks are in another status.
         */
        get: operations["getHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/history/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Attempts to deliver, the latest first
         * @description Each attempt is one item, the failed ones too, until its webhook is removed.
         */
        get: operations["getLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/history/replay/{streamId}/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How far a replay of a range is
         * @description By the id that asking for the replay gave.
         */
        get: operations["getRangeReplay"];
        put?: never;
        /**
         * Send a webhook again
         * @description Sends the first body of the webhook again, byte for byte, under the same webhook-id, and retries it as any other. A webhook that a reorganisation took back is never sent again: 409. One that was settled long ago and removed cannot be sent again: 410.
         */
        post: operations["replayHistory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/history/replay/{streamId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a range of webhooks again
         * @description Sends every webhook of the stream that fits the parameters, or every one where there are none, one after the other in the order in which they were first sent. Webhooks that a reorganisation took back are left out. A long range is queued part by part, while the parts before are sent.
         */
        post: operations["replayRange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Settings of all streams
         * @description The region, and the key that x-signature is made with.
         */
        get: operations["getSettings"];
        put?: never;
        /**
         * Change settings of all streams
         * @description Settings that are left out stay. Webhooks sent from then on are signed with the new secretKey.
         */
        post: operations["setSettings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/settings/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Secret of notices to operations
         * @description The key of both signatures of notices to webhooks.operationsUrl.
         */
        get: operations["getOperationsSettings"];
        put?: never;
        /**
         * Change the secret of notices to operations
         * @description Notices sent from then on are signed with the new secret alone.
         */
        post: operations["setOperationsSettings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/streams/evm/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a stream a new secret
         * @description webhook-signature carries a signature by each of the two secrets until the previous one expires.
         */
        post: operations["rotateStreamSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/{hash}/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A preview of the media of an NFT
         * @description Named by the hash of the media that it was made of, so that it never changes. 503 while a preview that was removed is made again.
         */
        get: operations["getMediaPreview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What this server is
         * @description Its name and version, and where to read on; the console where Accept names text/html.
         */
        get: operations["getRoot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process is alive
         * @description Also while the server starts, and while its database is away.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the database and the configured chains answered
         * @description 503 names what is not ready.
         */
        get: operations["getReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Figures for Prometheus
         * @description In the text format of Prometheus; docs/operations.md explains each.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the key of this request may do
         * @description For clients with a surface: what a key may not do need not be offered.
         */
        get: operations["getOwnKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a key
         * @description Begins a session that may do what the key of this request may do. A session begins no other: 403.
         */
        post: operations["beginSession"];
        /**
         * Sign out
         * @description Ends the session of this request: every server refuses its token within a second.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with the code of a link
         * @description Begins a session of the configuration's key for a code that a command printed. A code works once, within a minute, at the process that printed it.
         */
        post: operations["redeemCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The console
         * @description The same page as at `/` for a browser.
         */
        get: operations["getConsole"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A view or a file of the console
         * @description Scripts and styles below `/console/assets/`. Every other path, of any depth, is the page, which shows the view of that path.
         */
        get: operations["getConsoleFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Collections that this server indexes
         * @description Page by page, in the order of chain and address. A page of a search through many thousands may have fewer collections than its limit, and a cursor. total counts the first 100,000.
         */
        get: operations["getCollections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Collections, tokens and coins by a text
         * @description At most 20 of each, in bounded time: each kind says whether there are others, and whether it was cut short.
         */
        get: operations["searchRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where the server stands as a whole
         * @description Version, uptime, every process of every role, the size of the database by kind of data, the disk, what there is to do, and what was done in each minute of the last hour. Read at most once a second, however often it is asked for, and in bounded time: a part that the database does not give in time is null.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * EVM chains
         * @description Lists the chains that have stored data, that collections or streams need, that a server is configured for, or that are paused: how far each is followed, why it is not followed where it should be, and its nodes by host. Page by page, in the order of their ids.
         */
        get: operations["listChains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/chains/{chain}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a chain
         * @description Within seconds servers stop reading the chain: its collections and streams stay where they are until the chain is resumed. Webhooks that are made already are sent.
         */
        post: operations["pauseChain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/chains/{chain}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a chain
         * @description Within seconds servers read the chain again, from the block at which it was paused.
         */
        post: operations["resumeChain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/chains/{chain}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove what is stored of a chain, and read it anew
         * @description For a chain that was started again under the same id. Cannot be undone: its blocks and what is stored of its collections are removed, the collections are indexed anew, and its streams begin with its first block. The body names the chain again.
         */
        post: operations["resetChain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * API keys
         * @description Page by page, oldest first, without their texts. The configuration's own key is not among them.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Make an API key
         * @description The text of the key is in this answer and kept nowhere: a key that is lost cannot be shown again, only replaced.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Every server refuses it within a second, for good. It stays in the list, as revoked.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Collections
         * @description Page by page, in the order of chain and address. A page of a search through many thousands may have fewer collections than its limit, and a cursor. total counts the first 100,000.
         */
        get: operations["listCollections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/collections/{chain}/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One collection
         * @description Status and progress, how fast history is read, whether the collection counts as spam and as verified and why, what is left out, and its documents and previews by state.
         */
        get: operations["getCollection"];
        put?: never;
        post?: never;
        /**
         * Remove a collection
         * @description The collection is gone at once; what is stored of it is removed in the background. The next request for the contract indexes it anew.
         */
        delete: operations["deleteCollection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/collections/{chain}/{address}/reindex": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Index a collection from the beginning
         * @description What is stored of the collection is gone at once, and the collection is queued. The operator's word and the key that asked for the collection stay.
         */
        post: operations["reindexCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/collections/{chain}/{address}/flag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say whether a collection is spam or verified
         * @description The operator's word stands above all lists and rules and is in pages at once; auto takes it back.
         */
        post: operations["flagCollection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/streams/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What a stream would have matched
         * @description Matches the last blocks of a chain, at most 100 and for at most 10 seconds, as a stream of this definition would have them, and shows up to 50 of its webhooks. No stream is made and nothing is sent. A process makes two previews at once; further requests get 429.
         */
        post: operations["previewStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/streams/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the test webhook of a stream
         * @description Sends the test webhook to the address of the stream, whatever its status, signed as all its webhooks are, and tells what the receiver answered. The test webhook stands in no history and counts nowhere; the stream stays as it is.
         */
        post: operations["testStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Collections, tokens, coins and streams by a text
         * @description At most 20 of each, in bounded time: each kind says whether there are others, and whether it was cut short.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description What this server answers, in OpenAPI 3.1.
         */
        get: operations["getOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A page to try the operations
         * @description The page is made from this document, and asks this server alone.
         */
        get: operations["getDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A file of that page
         * @description Scripts, styles and images.
         */
        get: operations["getDocsFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/guide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The guide
         * @description A list of the pages that tell how to use and run this server.
         */
        get: operations["getGuide"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/guide/{page}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A page of the guide
         * @description The same text as the file of this name in `docs/` of the package.
         */
        get: operations["getGuidePage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description A new stream. A field that is null counts as left out.
         * @example {
         *       "webhookUrl": "https://shop.example/hooks",
         *       "description": "transfers of our collection",
         *       "tag": "shop",
         *       "chainIds": [
         *         "0x1"
         *       ],
         *       "topic0": [
         *         "Transfer(address,address,uint256)"
         *       ],
         *       "includeContractLogs": true
         *     }
         */
        CreateStream: {
            /** @description Where webhooks go: http or https. */
            webhookUrl: string;
            /** @description What the stream is for, in the client's own words. */
            description: string;
            /** @description Part of every webhook, as the client chooses it. */
            tag: string;
            /** @description Chains to watch, in hex. */
            chainIds: string[];
            /** @description Key of the Standard Webhooks signature: whsec_ and 24 to 64 bytes in base64. Generated where none is given. The previous one still signs for a while. */
            webhookSecret?: string | null;
            /** @description Webhooks are sent compressed, with content-encoding: gzip. The signatures are of the body before compression. */
            gzip?: boolean | null;
            /** @description Sent with every webhook: at most 20 and 8 kB. Values are never shown again: an answer has null for each, and null in a request leaves a value as it is. All are dropped when the address moves to another origin, unless they are given again with it. */
            headers?: {
                [key: string]: string | null;
            } | null;
            /** @description The events to match; empty: every event. */
            topic0?: string[] | null;
            /** @description Watch every contract and account, not only the addresses of the stream. */
            allAddresses?: boolean | null;
            /** @description Transactions from or to an address of the stream. */
            includeNativeTxs?: boolean | null;
            /** @description Logs that an address of the stream emitted, or that name it in an indexed argument. */
            includeContractLogs?: boolean | null;
            /** @description Internal transactions, which move value inside of a transaction, from or to an address of the stream. */
            includeInternalTxs?: boolean | null;
            /** @description All logs of every transaction in which something matched. */
            includeAllTxLogs?: boolean | null;
            /** @description ABI items, by which filters decode events; part of every webhook. */
            abi?: ({
                /** @description event, function and so on. */
                type?: string;
                /** @description Its name. */
                name?: string;
            } & {
                [key: string]: unknown;
            })[] | null;
            /** @description Options of single events: a filter, and whether their transactions are sent. */
            advancedOptions?: {
                /** @description Which event: its signature or its hash. */
                topic0: string;
                /** @description Which logs of the event: a tree over its arguments. */
                filter?: {
                    [key: string]: unknown;
                } | null;
                /** @description The transactions of the logs that match, too. */
                includeNativeTxs?: boolean | null;
            }[] | null;
            /** @description Accounts whose balances each webhook has: fields of its records, or addresses. */
            getNativeBalances?: {
                /** @description Such as $from, $to or $contract, or an address. */
                selectors: string[];
                /** @description tx, log, erc20transfer, erc20approval, nfttransfer or internalTx. */
                type: string;
            }[] | null;
            /** @description Kept for published clients; nothing depends on it. */
            demo?: boolean | null;
            /** @description Send only the webhook of a confirmed block. Otherwise a block at the head has an unconfirmed one before it. */
            confirmedOnly?: boolean | null;
            /** @description ordered: one after the other on each chain, by block; unordered: up to 50 at once, in any order. */
            delivery?: ("ordered" | "unordered") | null;
            /** @description Not supported yet. */
            triggers?: unknown[] | null;
            /** @description First block of history to match, by chain. */
            fromBlocks?: {
                [key: string]: string;
            } | null;
        };
        /**
         * @description Changes of a stream. A field that is left out stays as it is.
         * @example {
         *       "tag": "shop"
         *     }
         */
        UpdateStream: {
            /** @description Where webhooks go: http or https. */
            webhookUrl?: string | null;
            /** @description What the stream is for, in the client's own words. */
            description?: string | null;
            /** @description Part of every webhook, as the client chooses it. */
            tag?: string | null;
            /** @description Chains to watch, in hex. */
            chainIds?: string[] | null;
            /** @description Key of the Standard Webhooks signature: whsec_ and 24 to 64 bytes in base64. Generated where none is given. The previous one still signs for a while. */
            webhookSecret?: string | null;
            /** @description Webhooks are sent compressed, with content-encoding: gzip. The signatures are of the body before compression. */
            gzip?: boolean | null;
            /** @description Sent with every webhook: at most 20 and 8 kB. Values are never shown again: an answer has null for each, and null in a request leaves a value as it is. All are dropped when the address moves to another origin, unless they are given again with it. */
            headers?: {
                [key: string]: string | null;
            } | null;
            /** @description The events to match; empty: every event. */
            topic0?: string[] | null;
            /** @description Watch every contract and account, not only the addresses of the stream. */
            allAddresses?: boolean | null;
            /** @description Transactions from or to an address of the stream. */
            includeNativeTxs?: boolean | null;
            /** @description Logs that an address of the stream emitted, or that name it in an indexed argument. */
            includeContractLogs?: boolean | null;
            /** @description Internal transactions, which move value inside of a transaction, from or to an address of the stream. */
            includeInternalTxs?: boolean | null;
            /** @description All logs of every transaction in which something matched. */
            includeAllTxLogs?: boolean | null;
            /** @description ABI items, by which filters decode events; part of every webhook. */
            abi?: ({
                /** @description event, function and so on. */
                type?: string;
                /** @description Its name. */
                name?: string;
            } & {
                [key: string]: unknown;
            })[] | null;
            /** @description Options of single events: a filter, and whether their transactions are sent. */
            advancedOptions?: {
                /** @description Which event: its signature or its hash. */
                topic0: string;
                /** @description Which logs of the event: a tree over its arguments. */
                filter?: {
                    [key: string]: unknown;
                } | null;
                /** @description The transactions of the logs that match, too. */
                includeNativeTxs?: boolean | null;
            }[] | null;
            /** @description Accounts whose balances each webhook has: fields of its records, or addresses. */
            getNativeBalances?: {
                /** @description Such as $from, $to or $contract, or an address. */
                selectors: string[];
                /** @description tx, log, erc20transfer, erc20approval, nfttransfer or internalTx. */
                type: string;
            }[] | null;
            /** @description Kept for published clients; nothing depends on it. */
            demo?: boolean | null;
            /** @description Send only the webhook of a confirmed block. Otherwise a block at the head has an unconfirmed one before it. */
            confirmedOnly?: boolean | null;
            /** @description ordered: one after the other on each chain, by block; unordered: up to 50 at once, in any order. */
            delivery?: ("ordered" | "unordered") | null;
            /** @description Not supported yet. */
            triggers?: unknown[] | null;
            /** @description First block of history to match, by chain: of chains that this update adds, and that the stream never had. */
            fromBlocks?: {
                [key: string]: string;
            } | null;
        };
        /**
         * @description The new status of a stream, and where it goes on.
         * @example {
         *       "status": "paused"
         *     }
         */
        StreamStatus: {
            /**
             * @description The new status.
             * @enum {string}
             */
            status: "active" | "paused";
            /** @description With active: pause (default) sends the blocks since the stream was paused; now skips them and starts at the next block. */
            resumeFrom?: ("pause" | "now") | null;
            /** @description With active: the block to go on with, by chain, instead of resumeFrom: not before the first block that was not matched for the paused stream, nor after the next block. */
            fromBlocks?: {
                [key: string]: string;
            } | null;
        };
        /**
         * @description The settings to change.
         * @example {
         *       "secretKey": "a long random text"
         *     }
         */
        ChangeStreamSettings: {
            /** @description Kept for published clients; it has no effect on this server. */
            region?: ("us-east-1" | "us-west-2" | "eu-central-1" | "ap-southeast-1") | null;
            /** @description Key of the header x-signature; a generated one until it is set. */
            secretKey?: string | null;
        };
        /**
         * @description Confirms that the reset is meant.
         * @example {
         *       "confirm": "local"
         *     }
         */
        ResetChain: {
            /** @description The name or the id of the chain again. */
            confirm: string;
        };
        /**
         * @description A key to be made.
         * @example {
         *       "name": "shop",
         *       "access": "read",
         *       "requestsPerSecond": 50,
         *       "burst": 100
         *     }
         */
        CreateApiKey: {
            /** @description What the key is for. */
            name: string;
            /** @description What the key may do; read where this is left out. */
            access?: ("read" | "admin") | null;
            /** @description The key's own rate limit; left out: the configuration's. */
            requestsPerSecond?: number | null;
            /** @description The key's own burst; left out: the configuration's. */
            burst?: number | null;
        };
        /**
         * @description The operator's word.
         * @example {
         *       "spam": "yes"
         *     }
         */
        CollectionFlag: {
            /** @description possible_spam of the collection; auto: what lists and rules say. Left out: unchanged. */
            spam?: ("yes" | "no" | "auto") | null;
            /** @description verified_collection; auto: what lists say. Left out: unchanged. */
            verified?: ("yes" | "no" | "auto") | null;
        };
        /**
         * @description Definition of a stream, which is not made. A field that is null counts as left out; fields that only matter to sending may be left out.
         * @example {
         *       "chainIds": [
         *         "0x1"
         *       ],
         *       "topic0": [
         *         "Transfer(address,address,uint256)"
         *       ],
         *       "includeContractLogs": true,
         *       "addresses": [
         *         "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d"
         *       ],
         *       "blocks": 20
         *     }
         */
        PreviewStream: {
            /** @description Where webhooks go: http or https. */
            webhookUrl?: string | null;
            /** @description What the stream is for, in the client's own words. */
            description?: string | null;
            /** @description Part of every webhook, as the client chooses it. */
            tag?: string | null;
            /** @description Chains to watch, in hex. */
            chainIds: string[];
            /** @description Key of the Standard Webhooks signature: whsec_ and 24 to 64 bytes in base64. Generated where none is given. The previous one still signs for a while. */
            webhookSecret?: string | null;
            /** @description Webhooks are sent compressed, with content-encoding: gzip. The signatures are of the body before compression. */
            gzip?: boolean | null;
            /** @description Sent with every webhook: at most 20 and 8 kB. Values are never shown again: an answer has null for each, and null in a request leaves a value as it is. All are dropped when the address moves to another origin, unless they are given again with it. */
            headers?: {
                [key: string]: string | null;
            } | null;
            /** @description The events to match; empty: every event. */
            topic0?: string[] | null;
            /** @description Watch every contract and account, not only the addresses of the stream. */
            allAddresses?: boolean | null;
            /** @description Transactions from or to an address of the stream. */
            includeNativeTxs?: boolean | null;
            /** @description Logs that an address of the stream emitted, or that name it in an indexed argument. */
            includeContractLogs?: boolean | null;
            /** @description Internal transactions, which move value inside of a transaction, from or to an address of the stream. */
            includeInternalTxs?: boolean | null;
            /** @description All logs of every transaction in which something matched. */
            includeAllTxLogs?: boolean | null;
            /** @description ABI items, by which filters decode events; part of every webhook. */
            abi?: ({
                /** @description event, function and so on. */
                type?: string;
                /** @description Its name. */
                name?: string;
            } & {
                [key: string]: unknown;
            })[] | null;
            /** @description Options of single events: a filter, and whether their transactions are sent. */
            advancedOptions?: {
                /** @description Which event: its signature or its hash. */
                topic0: string;
                /** @description Which logs of the event: a tree over its arguments. */
                filter?: {
                    [key: string]: unknown;
                } | null;
                /** @description The transactions of the logs that match, too. */
                includeNativeTxs?: boolean | null;
            }[] | null;
            /** @description Accounts whose balances each webhook has: fields of its records, or addresses. */
            getNativeBalances?: {
                /** @description Such as $from, $to or $contract, or an address. */
                selectors: string[];
                /** @description tx, log, erc20transfer, erc20approval, nfttransfer or internalTx. */
                type: string;
            }[] | null;
            /** @description Kept for published clients; nothing depends on it. */
            demo?: boolean | null;
            /** @description Send only the webhook of a confirmed block. Otherwise a block at the head has an unconfirmed one before it. */
            confirmedOnly?: boolean | null;
            /** @description ordered: one after the other on each chain, by block; unordered: up to 50 at once, in any order. */
            delivery?: ("ordered" | "unordered") | null;
            /** @description Not supported yet. */
            triggers?: unknown[] | null;
            /** @description First block of history to match, by chain. */
            fromBlocks?: {
                [key: string]: string;
            } | null;
            /** @description Addresses that the stream watches. */
            addresses?: string[] | null;
            /** @description A stream that is to be changed: its addresses are watched as well. */
            streamId?: string | null;
            /** @description Which of chainIds to look at; the first one where it is left out. */
            chainId?: string | null;
            /** @description How many of the last blocks to look at; 100 where it is left out. */
            blocks?: number | null;
        };
        /** @description A page of NFTs. */
        NftPage: {
            /** @description Records of the collection, or of the part asked for; null unless disable_total is false. */
            total: number | null;
            /** @description Number of the page, the first one being 0. */
            page: number;
            /** @description Most records on a page. */
            page_size: number;
            /** @description Gives the next page; null on the last one. */
            cursor: string | null;
            /** @description The records. */
            result: components["schemas"]["Nft"][];
            /**
             * @description SYNCED: ownership covers every block up to the head last seen.
             * @enum {string}
             */
            status: "SYNCED" | "SYNCING";
        };
        /** @description One NFT. */
        Nft: {
            /**
             * @description The contract.
             * @example 0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d
             */
            token_address: string;
            /**
             * @description The token, decimal or hex as format asks.
             * @example 1
             * @example 0x1
             */
            token_id: string;
            /** @description MD5 of the lower-case token_address and the decimal token_id. */
            token_hash: string;
            /** @description Owner of the token; null for a token with several holders (ERC-1155). */
            owner_of: string | null;
            /** @description Address that minted the token; null where that is not known. */
            minter_address: string | null;
            /**
             * @description Block of the last transfer.
             * @example 12287507
             */
            block_number: string;
            /** @description Block of the mint. */
            block_number_minted: string;
            /** @description 1 for ERC721, the amount in existence for ERC1155. */
            amount: string;
            /** @description With include=rarity: the place by rarity, 1 for the rarest; null until the token is ranked. */
            rarity_rank?: number | null;
            /** @description With include=rarity: rarity_rank as a percentage of the tokens that were ranked; null until the token is. */
            rarity_percentage?: number | null;
            /** @description Standard that the token follows. A collection may hold tokens of both. */
            contract_type: ("ERC721" | "ERC1155") | null;
            /** @description Name of the contract. */
            name: string | null;
            /** @description Symbol of the contract. */
            symbol: string | null;
            /** @description Where the metadata is, as the contract gives it. */
            token_uri: string | null;
            /** @description The metadata document as JSON text; null: not fetched yet, or the token URI leads to media itself. */
            metadata: string | null;
            /** @description The metadata with the usual names; null unless normalizeMetadata is true. */
            normalized_metadata: {
                /** @description Name of the token. */
                name: string | null;
                /** @description What the token is. */
                description: string | null;
                /** @description Address of its image, as the document gives it. */
                image: string | null;
                /** @description Address of a page about it. */
                external_link: string | null;
                /** @description Address of a page about it, by the other usual name. */
                external_url: string | null;
                /** @description Address of a video, a sound or a page that shows it. */
                animation_url: string | null;
                /** @description Traits of the token. */
                attributes: {
                    /** @description Kind of the trait, such as Eyes. */
                    trait_type: string | null;
                    /** @description What the token has of that kind, as the document gives it. */
                    value: unknown;
                    /** @description How the document wants the value shown, such as number or date. */
                    display_type: string | null;
                    /** @description Largest value of that kind, where the document gives one. */
                    max_value: unknown;
                    /** @description Tokens of the collection that have this trait. */
                    trait_count: unknown;
                    /** @description Place of the trait among the others, where the document gives one. */
                    order: unknown;
                }[];
            } | null;
            /** @description Previews; null unless media_items is true. */
            media: {
                /**
                 * @description success: the previews are there; processing: they are being made; the others: why there are none.
                 * @enum {string}
                 */
                status: "success" | "processing" | "unsupported_media" | "invalid_url" | "host_unavailable" | "temporarily_unavailable";
                /** @description Address of the media; of a data: URI above 100,000 characters the header alone, as metadata or token_uri holds the whole. */
                original_media_url: string;
                /** @description Type of the media, such as image/png. */
                mimetype?: string;
                /** @description Kind of the media, such as image. */
                category?: string;
                /** @description SHA-256 of the media. */
                parent_hash?: string;
                /**
                 * Format: date-time
                 * @description When the previews were made.
                 */
                updatedAt?: string;
                /** @description The previews, where there are some. */
                media_collection?: {
                    /** @description A preview that fits into 100 pixels. */
                    low: {
                        /** @description Width in pixels. */
                        width: number;
                        /** @description Height in pixels. */
                        height: number;
                        /** @description Address of the preview at this server. */
                        url: string;
                    };
                    /** @description A preview that fits into 250 pixels. */
                    medium: {
                        /** @description Width in pixels. */
                        width: number;
                        /** @description Height in pixels. */
                        height: number;
                        /** @description Address of the preview at this server. */
                        url: string;
                    };
                    /** @description A preview that fits into 500 pixels. */
                    high: {
                        /** @description Width in pixels. */
                        width: number;
                        /** @description Height in pixels. */
                        height: number;
                        /** @description Address of the preview at this server. */
                        url: string;
                    };
                };
            } | null;
            /** @description When the contract was last asked for token_uri. */
            last_token_uri_sync: string | null;
            /** @description When the document was last read. */
            last_metadata_sync: string | null;
            /** @description Whether the contract counts as spam, by rules, by a list or by the word of the operator. */
            possible_spam: boolean;
            /** @description Whether the contract counts as verified, by a list or by the word of the operator. */
            verified_collection: boolean;
        };
        /** @description The body of every error. */
        Error: {
            /**
             * @description What was wrong with which parameter, and what is allowed.
             * @example limit is "0"; allowed: a whole number from 1 to 100
             */
            message: string;
            /** @description The status of the answer. */
            statusCode: number;
            /** @description Further facts, for programs. */
            details?: {
                /** @description Name of the parameter, or place in the body such as `abi[3].type`. */
                parameter?: string;
                /** @description All faults, where there are several. */
                faults?: {
                    /** @description Name of the parameter, or place in the body such as `abi[3].type`. */
                    parameter: string;
                    /** @description What is wrong there, and what is allowed. */
                    message: string;
                }[];
                /** @description Of /ready: what is not ready. */
                waitingFor?: string[];
                /** @description Of an operation that this server does not have: its name in the published client. */
                operation?: string;
            };
        };
        /** @description What a contract says of itself. */
        NftContract: {
            /**
             * @description The contract.
             * @example 0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d
             */
            token_address: string;
            /** @description Name of the contract. */
            name: string | null;
            /** @description Symbol of the contract. */
            symbol: string | null;
            /** @description Standard that the contract claims, ERC1155 where it claims both, or that its first log showed. Its tokens may be of both. null while it is not known, and where there is none. */
            contract_type: ("ERC721" | "ERC1155") | null;
            /** @description When the server asked the contract for its name, symbol and standard; null: not yet. */
            synced_at: string | null;
            /** @description Whether the contract counts as spam, by rules, by a list or by the word of the operator. */
            possible_spam: boolean;
            /** @description Whether the contract counts as verified, by a list or by the word of the operator. */
            verified_collection: boolean;
        };
        /** @description A page of traits. */
        NftTraitPage: {
            /** @description Values of all traits; null unless disable_total is false. */
            total: number | null;
            /** @description Number of the page, the first one being 0. */
            page: number;
            /** @description Most traits on a page. */
            page_size: number;
            /** @description Gives the next page; null on the last one. */
            cursor: string | null;
            /** @description The traits. */
            result: components["schemas"]["NftTrait"][];
            /**
             * @description SYNCED: ownership covers every block up to the head last seen.
             * @enum {string}
             */
            status: "SYNCED" | "SYNCING";
        };
        /** @description A trait that tokens of a collection have. */
        NftTrait: {
            /** @description Kind of the trait, such as Eyes; null where documents do not say. */
            trait_type: string | null;
            /** @description What tokens have of that kind. */
            value: string | number | boolean;
            /** @description Tokens of the collection that have this trait. */
            count: number;
            /** @description count as a percentage of the tokens whose document was read, rounded to six decimals. */
            percentage: number;
        };
        /** @description A page of transfers. */
        NftTransferPage: {
            /** @description Transfers; null unless disable_total is false, and where more than 100,000 had to be counted. */
            total: number | null;
            /** @description Number of the page, the first one being 0. */
            page: number;
            /** @description Most transfers on a page. */
            page_size: number;
            /** @description Gives the next page; null on the last one. */
            cursor: string | null;
            /** @description The transfers, in the order of the chain. */
            result: components["schemas"]["NftTransfer"][];
            /**
             * @description SYNCED: every block up to the head last seen is covered.
             * @enum {string}
             */
            status: "SYNCED" | "SYNCING";
        };
        /** @description A transfer of one NFT, or of an amount of one id. */
        NftTransfer: {
            /**
             * @description The contract.
             * @example 0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d
             */
            token_address: string;
            /**
             * @description The token, decimal or hex as format asks.
             * @example 1
             * @example 0x1
             */
            token_id: string;
            /** @description Who gave it; the zero address for a mint. */
            from_address: string;
            /** @description Who got it; the zero address for a burn. */
            to_address: string;
            /** @description Pieces; 1 for ERC721. */
            amount: string;
            /**
             * @description Standard of the event that moved it.
             * @enum {string}
             */
            contract_type: "ERC721" | "ERC1155";
            /**
             * @description Block of the transfer.
             * @example 12287507
             */
            block_number: string;
            /** @description Hash of the block. */
            block_hash: string;
            /**
             * Format: date-time
             * @description Time of the block.
             */
            block_timestamp: string;
            /** @description Hash of the transaction. */
            transaction_hash: string;
            /** @description Place of the transaction in its block; null where the node told none. */
            transaction_index: number | null;
            /** @description Place of the log in its block; the tokens of one log share it. */
            log_index: number;
            /** @description ERC1155: who moved it; ERC721: null. */
            operator: string | null;
            /** @description Always null: logs do not tell what was paid. */
            value: null;
            /** @description Whether the contract counts as verified, by a list or by the word of the operator. */
            verified: boolean;
            /** @description Whether the contract counts as spam, by rules, by a list or by the word of the operator. */
            possible_spam: boolean;
        };
        /** @description A page of owners. */
        NftOwnerPage: {
            /** @description Owners, one for each token; null unless disable_total is false. */
            total: number | null;
            /** @description Number of the page, the first one being 0. */
            page: number;
            /** @description Most records on a page. */
            page_size: number;
            /** @description Gives the next page; null on the last one. */
            cursor: string | null;
            /** @description The records. */
            result: components["schemas"]["NftOwner"][];
            /**
             * @description SYNCED: ownership covers every block up to the head last seen.
             * @enum {string}
             */
            status: "SYNCED" | "SYNCING";
        };
        /** @description An NFT and one of its owners. */
        NftOwner: {
            /**
             * @description The contract.
             * @example 0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d
             */
            token_address: string;
            /**
             * @description The token, decimal or hex as format asks.
             * @example 1
             * @example 0x1
             */
            token_id: string;
            /** @description MD5 of the lower-case token_address and the decimal token_id. */
            token_hash: string;
            /**
             * @description One of those who hold the token.
             * @example 0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d
             */
            owner_of: string;
            /** @description Address that minted the token; null where that is not known. */
            minter_address: string | null;
            /**
             * @description Block of the last transfer.
             * @example 12287507
             */
            block_number: string;
            /** @description Block of the mint. */
            block_number_minted: string;
            /** @description How many pieces this owner holds; 1 for ERC721. */
            amount: string;
            /** @description With include=rarity: the place by rarity, 1 for the rarest; null until the token is ranked. */
            rarity_rank?: number | null;
            /** @description With include=rarity: rarity_rank as a percentage of the tokens that were ranked; null until the token is. */
            rarity_percentage?: number | null;
            /** @description Standard that the token follows. A collection may hold tokens of both. */
            contract_type: ("ERC721" | "ERC1155") | null;
            /** @description Name of the contract. */
            name: string | null;
            /** @description Symbol of the contract. */
            symbol: string | null;
            /** @description Where the metadata is, as the contract gives it. */
            token_uri: string | null;
            /** @description The metadata document as JSON text; null: not fetched yet, or the token URI leads to media itself. */
            metadata: string | null;
            /** @description The metadata with the usual names; null unless normalizeMetadata is true. */
            normalized_metadata: {
                /** @description Name of the token. */
                name: string | null;
                /** @description What the token is. */
                description: string | null;
                /** @description Address of its image, as the document gives it. */
                image: string | null;
                /** @description Address of a page about it. */
                external_link: string | null;
                /** @description Address of a page about it, by the other usual name. */
                external_url: string | null;
                /** @description Address of a video, a sound or a page that shows it. */
                animation_url: string | null;
                /** @description Traits of the token. */
                attributes: {
                    /** @description Kind of the trait, such as Eyes. */
                    trait_type: string | null;
                    /** @description What the token has of that kind, as the document gives it. */
                    value: unknown;
                    /** @description How the document wants the value shown, such as number or date. */
                    display_type: string | null;
                    /** @description Largest value of that kind, where the document gives one. */
                    max_value: unknown;
                    /** @description Tokens of the collection that have this trait. */
                    trait_count: unknown;
                    /** @description Place of the trait among the others, where the document gives one. */
                    order: unknown;
                }[];
            } | null;
            /** @description Previews; null unless media_items is true. */
            media: {
                /**
                 * @description success: the previews are there; processing: they are being made; the others: why there are none.
                 * @enum {string}
                 */
                status: "success" | "processing" | "unsupported_media" | "invalid_url" | "host_unavailable" | "temporarily_unavailable";
                /** @description Address of the media; of a data: URI above 100,000 characters the header alone, as metadata or token_uri holds the whole. */
                original_media_url: string;
                /** @description Type of the media, such as image/png. */
                mimetype?: string;
                /** @description Kind of the media, such as image. */
                category?: string;
                /** @description SHA-256 of the media. */
                parent_hash?: string;
                /**
                 * Format: date-time
                 * @description When the previews were made.
                 */
                updatedAt?: string;
                /** @description The previews, where there are some. */
                media_collection?: {
                    /** @description A preview that fits into 100 pixels. */
                    low: {
                        /** @description Width in pixels. */
                        width: number;
                        /** @description Height in pixels. */
                        height: number;
                        /** @description Address of the preview at this server. */
                        url: string;
                    };
                    /** @description A preview that fits into 250 pixels. */
                    medium: {
                        /** @description Width in pixels. */
                        width: number;
                        /** @description Height in pixels. */
                        height: number;
                        /** @description Address of the preview at this server. */
                        url: string;
                    };
                    /** @description A preview that fits into 500 pixels. */
                    high: {
                        /** @description Width in pixels. */
                        width: number;
                        /** @description Height in pixels. */
                        height: number;
                        /** @description Address of the preview at this server. */
                        url: string;
                    };
                };
            } | null;
            /** @description When the contract was last asked for token_uri. */
            last_token_uri_sync: string | null;
            /** @description When the document was last read. */
            last_metadata_sync: string | null;
            /** @description Whether the contract counts as spam, by rules, by a list or by the word of the operator. */
            possible_spam: boolean;
            /** @description Whether the contract counts as verified, by a list or by the word of the operator. */
            verified_collection: boolean;
        };
        /** @description Counters of a contract. */
        NftCollectionStats: {
            /** @description Tokens of the contract that exist. */
            total_tokens: string;
            /** @description Owners. */
            owners: {
                /** @description Addresses that hold at least one of them. */
                current: string;
            };
            /** @description Transfers. */
            transfers: {
                /** @description Transfers of its tokens, mints and burns too. */
                total: string;
            };
        };
        /** @description Counters of a token. */
        NftTokenStats: {
            /** @description Pieces of the token that exist; at most 1 for ERC721. */
            total_tokens: string;
            /** @description Owners. */
            owners: {
                /** @description Addresses that hold at least one of them. */
                current: string;
            };
            /** @description Transfers. */
            transfers: {
                /** @description Transfers of the token, its mint and burns too. */
                total: string;
            };
        };
        /** @description A collection of which a wallet holds tokens. */
        WalletCollection: {
            /**
             * @description The contract.
             * @example 0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d
             */
            token_address: string;
            /** @description Standard that the contract claims or that its first log showed. */
            contract_type: ("ERC721" | "ERC1155") | null;
            /** @description Name of the contract. */
            name: string | null;
            /** @description Symbol of the contract. */
            symbol: string | null;
            /** @description Whether the contract counts as spam, by rules, by a list or by the word of the operator. */
            possible_spam: boolean;
            /** @description Whether the contract counts as verified, by a list or by the word of the operator. */
            verified_collection: boolean;
            /** @description Tokens of it that the wallet holds; with token_counts alone. */
            count?: number;
        };
        /** @description A chain that this server has enabled. */
        Chain: {
            /**
             * @description Name of the chain in answers.
             * @example eth
             */
            name: string;
            /**
             * @description Id of the chain in hex.
             * @example 0x1
             */
            id: string;
            /** @description Further names that `chain` takes, in lower case; capitals make no difference there. */
            aliases: string[];
            /** @description Whether the configuration of this server names the chain; the others are known without it. */
            configured: boolean;
            /** @description Head of the chain when a node was asked last, which of an idle chain may be long ago; null: none was ever asked. */
            head: string | null;
            /**
             * @description following: collections or streams need the chain, and it is read block by block; idle: nothing needs it at the moment, and a request that does has it read; paused: an operator stopped reading it; stalled: it cannot be read as it should be, as no node of it answers or no process is there to read it.
             * @enum {string}
             */
            status: "following" | "idle" | "paused" | "stalled";
        };
        /** @description A page of coins. */
        CoinPage: {
            /** @description Gives the next page; null exactly when there is none. */
            cursor: string | null;
            /** @description Whether there is another page. */
            hasNextPage: boolean;
            /** @description The coins. */
            result: components["schemas"]["Coin"][];
        };
        /** @description One coin. */
        Coin: {
            /**
             * @description Type of the coin, as the chain prints it.
             * @example 0x1::aptos_coin::AptosCoin
             */
            coin_type: string;
            /** @description SHA-256 of coin_type. */
            coin_type_hash: string;
            /** @description Account that published the coin. */
            creator_address: string;
            /** @description Digits behind the point of an amount. */
            decimals: number;
            /** @description Name of the coin. */
            name: string;
            /** @description Table in which the chain counts the supply in parallel; null for nearly every coin. */
            supply_aggregator_table_handle: string | null;
            /** @description Key of the supply in that table. */
            supply_aggregator_table_key: string | null;
            /** @description Symbol of the coin. */
            symbol: string;
            /**
             * @description When the coin was created, in UTC.
             * @example 2022-10-12T00:00:00.000000Z
             */
            transaction_created_timestamp: string;
            /**
             * @description Version of the transaction that created the coin.
             * @example 104
             */
            transaction_version_created: string;
        };
        /** @description A stream that was made or changed. */
        ChangedStream: {
            /**
             * Format: uuid
             * @description The stream.
             */
            id: string;
            /**
             * @description Where webhooks go.
             * @example https://shop.example/hooks
             */
            webhookUrl: string;
            /** @description What the stream is for, in words of the client. */
            description: string;
            /** @description Part of every webhook, as the client chose it. */
            tag: string;
            /**
             * @description Ids of the chains that the stream watches, in hex.
             * @example [
             *       "0x1"
             *     ]
             */
            chainIds: string[];
            /**
             * @description The events to match; empty: every event.
             * @default []
             */
            topic0: string[];
            /**
             * @description Watch every contract and account, not only the addresses of the stream.
             * @default false
             */
            allAddresses: boolean;
            /**
             * @description Transactions from or to an address of the stream.
             * @default false
             */
            includeNativeTxs: boolean;
            /**
             * @description Logs that an address of the stream emitted, or that name it in an indexed argument.
             * @default false
             */
            includeContractLogs: boolean;
            /**
             * @description Internal transactions, which move value inside of a transaction, from or to an address of the stream.
             * @default false
             */
            includeInternalTxs: boolean;
            /**
             * @description All logs of every transaction in which something matched.
             * @default false
             */
            includeAllTxLogs: boolean;
            /**
             * @description ABI items, by which filters decode events; part of every webhook.
             * @default []
             */
            abi: ({
                /** @description event, function and so on. */
                type?: string;
                /** @description Its name. */
                name?: string;
            } & {
                [key: string]: unknown;
            })[];
            /**
             * @description Options of single events: a filter, and whether their transactions are sent.
             * @default []
             */
            advancedOptions: {
                /** @description Which event: its signature or its hash. */
                topic0: string;
                /** @description Which logs of the event: a tree over its arguments. */
                filter?: {
                    [key: string]: unknown;
                } | null;
                /** @description The transactions of the logs that match, too. */
                includeNativeTxs?: boolean | null;
            }[];
            /**
             * @description Accounts whose balances each webhook has: fields of its records, or addresses.
             * @default []
             */
            getNativeBalances: {
                /** @description Such as $from, $to or $contract, or an address. */
                selectors: string[];
                /** @description tx, log, erc20transfer, erc20approval, nfttransfer or internalTx. */
                type: string;
            }[];
            /**
             * @description Kept for published clients; nothing depends on it.
             * @default false
             */
            demo: boolean;
            /**
             * @description Send only the webhook of a confirmed block. Otherwise a block at the head has an unconfirmed one before it.
             * @default false
             */
            confirmedOnly: boolean;
            /**
             * @description active: webhooks are sent; paused: a client or the server paused it; error: its receiver fails; terminated: it was in error for days.
             * @enum {string}
             */
            status: "active" | "paused" | "error" | "terminated";
            /** @description Why the stream is not active, or what an active one waits for; empty otherwise. */
            statusMessage: string;
            /** @description Key of the Standard Webhooks signature, whsec_…. */
            webhookSecret: string;
            /** @description Names of the headers that are sent with its webhooks. Their values are never shown. */
            headers: {
                [key: string]: null;
            };
            /**
             * @description ordered: one after the other on each chain, by block; unordered: many at once, in any order.
             * @enum {string}
             */
            delivery: "ordered" | "unordered";
            /** @description Whether webhooks are sent compressed. */
            gzip: boolean;
            /** @description How many addresses the stream watches. */
            amountOfAddresses: number;
            /**
             * Format: date-time
             * @description When the stream was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the stream was last changed.
             */
            updatedAt: string;
            /** @description First block for which the change holds, by the chain id in hex. */
            effectiveBlocks: {
                [key: string]: string;
            };
        };
        /** @description A stream. */
        Stream: {
            /**
             * Format: uuid
             * @description The stream.
             */
            id: string;
            /**
             * @description Where webhooks go.
             * @example https://shop.example/hooks
             */
            webhookUrl: string;
            /** @description What the stream is for, in words of the client. */
            description: string;
            /** @description Part of every webhook, as the client chose it. */
            tag: string;
            /**
             * @description Ids of the chains that the stream watches, in hex.
             * @example [
             *       "0x1"
             *     ]
             */
            chainIds: string[];
            /**
             * @description The events to match; empty: every event.
             * @default []
             */
            topic0: string[];
            /**
             * @description Watch every contract and account, not only the addresses of the stream.
             * @default false
             */
            allAddresses: boolean;
            /**
             * @description Transactions from or to an address of the stream.
             * @default false
             */
            includeNativeTxs: boolean;
            /**
             * @description Logs that an address of the stream emitted, or that name it in an indexed argument.
             * @default false
             */
            includeContractLogs: boolean;
            /**
             * @description Internal transactions, which move value inside of a transaction, from or to an address of the stream.
             * @default false
             */
            includeInternalTxs: boolean;
            /**
             * @description All logs of every transaction in which something matched.
             * @default false
             */
            includeAllTxLogs: boolean;
            /**
             * @description ABI items, by which filters decode events; part of every webhook.
             * @default []
             */
            abi: ({
                /** @description event, function and so on. */
                type?: string;
                /** @description Its name. */
                name?: string;
            } & {
                [key: string]: unknown;
            })[];
            /**
             * @description Options of single events: a filter, and whether their transactions are sent.
             * @default []
             */
            advancedOptions: {
                /** @description Which event: its signature or its hash. */
                topic0: string;
                /** @description Which logs of the event: a tree over its arguments. */
                filter?: {
                    [key: string]: unknown;
                } | null;
                /** @description The transactions of the logs that match, too. */
                includeNativeTxs?: boolean | null;
            }[];
            /**
             * @description Accounts whose balances each webhook has: fields of its records, or addresses.
             * @default []
             */
            getNativeBalances: {
                /** @description Such as $from, $to or $contract, or an address. */
                selectors: string[];
                /** @description tx, log, erc20transfer, erc20approval, nfttransfer or internalTx. */
                type: string;
            }[];
            /**
             * @description Kept for published clients; nothing depends on it.
             * @default false
             */
            demo: boolean;
            /**
             * @description Send only the webhook of a confirmed block. Otherwise a block at the head has an unconfirmed one before it.
             * @default false
             */
            confirmedOnly: boolean;
            /**
             * @description active: webhooks are sent; paused: a client or the server paused it; error: its receiver fails; terminated: it was in error for days.
             * @enum {string}
             */
            status: "active" | "paused" | "error" | "terminated";
            /** @description Why the stream is not active, or what an active one waits for; empty otherwise. */
            statusMessage: string;
            /** @description Key of the Standard Webhooks signature, whsec_…. */
            webhookSecret: string;
            /** @description Names of the headers that are sent with its webhooks. Their values are never shown. */
            headers: {
                [key: string]: null;
            };
            /**
             * @description ordered: one after the other on each chain, by block; unordered: many at once, in any order.
             * @enum {string}
             */
            delivery: "ordered" | "unordered";
            /** @description Whether webhooks are sent compressed. */
            gzip: boolean;
            /** @description How many addresses the stream watches. */
            amountOfAddresses: number;
            /**
             * Format: date-time
             * @description When the stream was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the stream was last changed.
             */
            updatedAt: string;
        };
        /** @description What was processed and delivered. */
        StreamStats: {
            /** @description Webhooks that got a 2xx, once each. */
            totalWebhooksDelivered: number;
            /** @description Attempts that got no 2xx. */
            totalWebhooksFailed: number;
            /** @description Logs in confirmed webhooks. */
            totalLogsProcessed: number;
            /** @description Transactions in confirmed webhooks. */
            totalTxsProcessed: number;
            /** @description Internal transactions in confirmed webhooks. */
            totalTxsInternalProcessed: number;
            /** @description The same counters of each stream. */
            streams: {
                /** @description Webhooks that got a 2xx, once each. */
                totalWebhooksDelivered: number;
                /** @description Attempts that got no 2xx. */
                totalWebhooksFailed: number;
                /** @description Logs in confirmed webhooks. */
                totalLogsProcessed: number;
                /** @description Transactions in confirmed webhooks. */
                totalTxsProcessed: number;
                /** @description Internal transactions in confirmed webhooks. */
                totalTxsInternalProcessed: number;
                /**
                 * Format: uuid
                 * @description The stream.
                 */
                streamId: string;
            }[];
            /**
             * Format: date-time
             * @description When counting began.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When something was last counted.
             */
            updatedAt: string;
        };
        /** @description One webhook. */
        HistoryItem: {
            /**
             * Format: uuid
             * @description Id of the webhook, as in the header webhook-id.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the webhook was made.
             */
            date: string;
            /** @description The body as first sent. */
            payload?: unknown;
            /** @description Summary of the body. */
            tinyPayload: {
                /** @description The chain, in hex. */
                chainId: string;
                /** @description Whether the block was confirmed. */
                confirmed: boolean;
                /** @description Number of the block. */
                block: string;
                /** @description Records in the body. */
                records: number;
                /** @description Attempts that failed. */
                retries: number;
            };
            /** @description Why the webhook is not delivered; empty where it is delivered or was not tried yet. */
            errorMessage: string;
            /** @description Address that the webhook goes to. */
            webhookUrl: string;
            /**
             * Format: uuid
             * @description The stream.
             */
            streamId: string;
            /** @description Tag of the stream. */
            tag: string;
            /**
             * @description Status of the webhook.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "dropped";
            /**
             * @description unconfirmed: of a block at once; confirmed: after its confirmations; retraction: the block was reorganised away.
             * @enum {string}
             */
            kind: "unconfirmed" | "confirmed" | "retraction";
        };
        /** @description One attempt to deliver. */
        DeliveryLog: {
            /**
             * Format: uuid
             * @description The attempt.
             */
            id: string;
            /**
             * Format: uuid
             * @description The stream.
             */
            streamId: string;
            /** @description The chain, in hex. */
            chain: string;
            /** @description Address that the attempt went to. */
            webhookUrl: string;
            /** @description Tag of the stream. */
            tag: string;
            /** @description Attempts before this one that failed. */
            retries: number;
            /**
             * @description success: the answer was a 2xx.
             * @enum {string}
             */
            deliveryStatus: "failed" | "success";
            /** @description Number of the block. */
            blockNumber: number;
            /** @description Why the attempt failed; empty after a success. */
            errorMessage: string;
            /**
             * @description Kind of the chain.
             * @constant
             */
            type: "evm";
            /**
             * Format: date-time
             * @description When the attempt was made.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the webhook, as in the header webhook-id.
             */
            webhookId: string;
            /** @description Status of the answer; null where there was no answer. */
            statusCode: number | null;
            /** @description How long the attempt took, in milliseconds. */
            latencyMs: number;
            /** @description First kilobyte of the answer. */
            response: string;
        };
        /** @description Sending a range of webhooks again. */
        RangeReplay: {
            /**
             * Format: uuid
             * @description The replay.
             */
            id: string;
            /**
             * Format: uuid
             * @description The stream.
             */
            streamId: string;
            /**
             * @description done: all webhooks are queued; stopped: the stream sends nothing any more.
             * @enum {string}
             */
            status: "running" | "done" | "stopped";
            /** @description Why the replay stopped; empty otherwise. */
            message: string;
            /** @description Part of the webhooks that was gone through, from 0 to 1. */
            progress: number;
            /** @description Webhooks queued so far. */
            replayed: number;
            /**
             * Format: date-time
             * @description When the replay was asked for.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the replay last made progress.
             */
            updatedAt: string;
        };
        /** @description Settings of all streams. */
        StreamSettings: {
            /**
             * @description Kept for published clients; it has no effect on this server.
             * @enum {string}
             */
            region: "us-east-1" | "us-west-2" | "eu-central-1" | "ap-southeast-1";
            /** @description Key of the header x-signature; a generated one until it is set. */
            secretKey: string;
        };
        /** @description The secret of notices to operations. */
        OperationsSettings: {
            /** @description Key of both signatures of notices to webhooks.operationsUrl. */
            webhookSecret: string;
        };
        /** @description What the key of a request may do. */
        OwnKey: {
            /**
             * @description read: the key may ask for records and change streams; admin: it may do everything.
             * @enum {string}
             */
            access: "read" | "admin";
        };
        /** @description What a browser keeps in place of a key. It ends when it is ended, when its key is revoked, after 12 hours without a request, and after 30 days. */
        Session: {
            /** @description Goes into the header X-API-Key, where a key would. It is in no other answer. */
            token: string;
            /**
             * @description read: the session may ask for records and change streams; admin: it may do everything.
             * @enum {string}
             */
            access: "read" | "admin";
        };
        /** @description A collection that this server indexes. */
        ListedCollection: {
            /**
             * @description Name of the chain.
             * @example eth
             */
            chain: string;
            /**
             * @description Id of the chain in hex.
             * @example 0x1
             */
            chainId: string;
            /**
             * @description Address of the contract.
             * @example 0x5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a
             */
            address: string;
            /** @description Name that the contract gives. */
            name: string | null;
            /** @description Symbol that the contract gives. */
            symbol: string | null;
            /** @description Standard that the contract claims or that its first log showed; null: not known yet. */
            standard: ("ERC721" | "ERC1155") | null;
            /**
             * @description Tokens listed.
             * @example 0
             */
            tokens: string;
            /**
             * @description queued: waits for its turn; syncing: history is read; live: followed at the head; none: the contract is no NFT contract, or is not known to be one yet where reason says why; nocode: no contract is at the address; failed: see reason.
             * @enum {string}
             */
            status: "queued" | "syncing" | "live" | "none" | "nocode" | "failed";
            /** @description Whether ownership covers every block up to the head, and a node confirmed that head lately. */
            synced: boolean;
            /** @description Part of the blocks that is covered, from 0 to 1. */
            progress: number;
            /** @description possible_spam of the records. */
            possibleSpam: boolean;
            /** @description verified_collection of the records. */
            verified: boolean;
        };
        /** @description Collections, tokens and coins that were found. */
        FoundRecords: {
            /** @description Found by address or its beginning, and by name. */
            collections: {
                /** @description At most 20 items. */
                result: components["schemas"]["FoundCollection"][];
                /** @description Whether there are others: a longer text finds fewer. */
                more: boolean;
                /** @description Whether not everything was looked at, so that there may be others. */
                cutShort: boolean;
            };
            /** @description Found by id, address/id or chain/address/id. */
            tokens: {
                /** @description At most 20 items. */
                result: components["schemas"]["FoundToken"][];
                /** @description Whether there are others: a longer text finds fewer. */
                more: boolean;
                /** @description Whether not everything was looked at, so that there may be others. */
                cutShort: boolean;
            };
            /** @description Found by type, by the hash of the type or its beginning, by name and by symbol. */
            coins: {
                /** @description At most 20 items. */
                result: components["schemas"]["FoundCoin"][];
                /** @description Whether there are others: a longer text finds fewer. */
                more: boolean;
                /** @description Whether not everything was looked at, so that there may be others. */
                cutShort: boolean;
            };
        };
        /** @description A collection that was found. */
        FoundCollection: {
            /**
             * @description Name of the chain.
             * @example eth
             */
            chain: string;
            /**
             * @description Id of the chain in hex.
             * @example 0x1
             */
            chainId: string;
            /**
             * @description Address of the contract.
             * @example 0x5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a
             */
            address: string;
            /** @description Name that the contract gives. */
            name: string | null;
            /**
             * @description Status of the collection.
             * @example live
             */
            status: string;
            /**
             * @description Tokens listed.
             * @example 10000
             */
            tokens: string;
        };
        /** @description A token that was found. */
        FoundToken: {
            /**
             * @description Name of the chain.
             * @example eth
             */
            chain: string;
            /**
             * @description Id of the chain in hex.
             * @example 0x1
             */
            chainId: string;
            /**
             * @description Address of the contract.
             * @example 0x5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a
             */
            address: string;
            /**
             * @description Id of the token in decimal digits.
             * @example 7
             */
            tokenId: string;
            /** @description Name that the contract gives. */
            collectionName: string | null;
        };
        /** @description A coin that was found. */
        FoundCoin: {
            /**
             * @description Name of the network.
             * @example mainnet
             */
            network: string;
            /**
             * @description Type of the coin.
             * @example 0x1::aptos_coin::AptosCoin
             */
            coinType: string;
            /** @description SHA-256 of the type, in hex. */
            coinTypeHash: string;
            /** @description Name of the coin. */
            name: string;
            /** @description Symbol of the coin. */
            symbol: string;
        };
        /** @description Where the server stands as a whole. */
        Overview: {
            /** @description Version of the process that answers. */
            version: string;
            /** @description Role of the process that answers. */
            role: string;
            /**
             * Format: date-time
             * @description When that process was started.
             */
            startedAt: string;
            /** @description Seconds since startedAt. */
            uptimeSeconds: number;
            /** @description Every process of every role on this database, the longest-running first; at most 1,000. */
            processes: components["schemas"]["ServingProcess"][] | null;
            /** @description null: not read in time. */
            database: components["schemas"]["DatabaseSize"] | null;
            /** @description Nodes of the database's cluster that do not answer, by host and port; empty where one server has all tables. */
            nodesAway: string[];
            disk: components["schemas"]["DiskState"];
            backpressure: components["schemas"]["Backpressure"];
            queue: components["schemas"]["WorkQueue"];
            /** @description null: not read in time. */
            rates: components["schemas"]["MinuteRates"] | null;
            /** @description Parts that are null, and why; empty: all were read. */
            missing: {
                /**
                 * @description Name of the part.
                 * @example queue.webhooks
                 */
                part: string;
                /**
                 * @description Why the part is null.
                 * @example took longer than 1 s
                 */
                reason: string;
            }[];
        };
        /** @description A process of Mintmark on this database. */
        ServingProcess: {
            /**
             * Format: uuid
             * @description Id of the process, made anew with every start.
             */
            id: string;
            /**
             * @description Role of the process.
             * @enum {string}
             */
            role: "all" | "api" | "sync" | "deliver";
            /**
             * @description Version of Mintmark that the process runs.
             * @example 1.4.0
             */
            version: string;
            /**
             * @description Name of the machine.
             * @example indexer-2
             */
            host: string;
            /** @description Process id on that machine. */
            pid: number;
            /**
             * Format: date-time
             * @description When the process was started.
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description Last heartbeat, of which there is one every 10 s while the process lives. A process without one for 35 s is not listed.
             */
            heartbeatAt: string;
            /** @description Whether this process gave the answer. */
            answering: boolean;
        };
        /** @description What the database takes on disk. */
        DatabaseSize: {
            /** @description Bytes of the whole database on disk, PostgreSQL's own tables among them, its log of changes not. */
            bytes: number;
            /** @description By kind of data, the largest first. */
            kinds: {
                /**
                 * @description What is stored.
                 * @example tokens
                 */
                kind: string;
                /** @description Bytes on disk, indexes among them. */
                bytes: number;
            }[];
        };
        /** @description The disk of the process that answers. */
        DiskState: {
            /** @description Bytes free on the disk of dataDir; null: there is no such folder. */
            freeBytes: number | null;
            /** @description All bytes of that disk. */
            totalBytes: number | null;
            /** @description Why nothing can be written, to files or to the database; empty: both can be written. */
            faults: string[];
        };
        /** @description What the process that answers holds back where there is more work than processor. */
        Backpressure: {
            /** @description Work yields now, as more urgent work is late. */
            active: boolean;
            /** @description What yielded since the process started, the most first: webhooks to requests, everything else to requests, webhooks and blocks. */
            yielded: {
                /**
                 * @description Kind of work.
                 * @example history
                 */
                work: string;
                /** @description Seconds for which it yielded since the start, all of its pieces together. */
                seconds: number;
            }[];
        };
        /** @description What there is to do. */
        WorkQueue: {
            /** @description Collections, by status; null: not counted in time. */
            collections: {
                [key: string]: number;
            } | null;
            /** @description Streams, by status; null: not counted in time. */
            streams: {
                [key: string]: number;
            } | null;
            /** @description Webhooks still to be delivered, by the counters; null: not counted in time. */
            webhooks: number | null;
            /** @description Tokens whose document is to be read, now or later; null: not counted in time. */
            metadata: {
                /** @description To be read for the first time, or again. */
                due: number;
                /** @description Failed before, and tried again later. */
                failed: number;
                /** @description Wait for a dead host. */
                parked: number;
                /** @description There are more: counting ended at 100,000. */
                more: boolean;
            } | null;
            /** @description Media that previews are to be made of; null: not counted in time. */
            previews: {
                /** @description To be made, now or later. */
                due: number;
                /** @description There are more: counting ended at 100,000. */
                more: boolean;
            } | null;
        };
        /** @description What all processes together counted in each of the last 60 minutes, the oldest first. The last minute still runs. */
        MinuteRates: {
            /**
             * Format: date-time
             * @description When the first minute began.
             */
            from: string;
            /** @description Requests answered, of every route. */
            requests: number[];
            /** @description Pages of tokens and coins answered, from memory or from the store. */
            pages: number[];
            /** @description Blocks of EVM chains followed. */
            blocks: number[];
            /** @description Logs of EVM chains read, of history and of the head. */
            logs: number[];
            /** @description Versions of Aptos-style networks read. */
            versions: number[];
            /** @description Documents of tokens read. */
            documents: number[];
            /** @description Media that previews were made of. */
            previews: number[];
            /** @description Webhooks that a receiver took. */
            webhooksDelivered: number[];
            /** @description Attempts to deliver a webhook that failed. */
            attemptsFailed: number[];
        };
        /** @description An EVM chain. */
        AdminChain: {
            /**
             * @description Id of the chain in hex.
             * @example 0x1
             */
            id: string;
            /**
             * @description Name of the chain.
             * @example eth
             */
            chain: string;
            /** @description Last block that was followed; null: the chain is not followed. */
            block: string | null;
            /** @description Head of the chain as its nodes say; null: no node was ever asked. */
            head: string | null;
            /** @description Last final block; null: no node was ever asked. */
            finalized: string | null;
            /** @description Blocks from `block` to `head`; null where one of the two is null. */
            lag: number | null;
            /** @description Seconds since a node last confirmed the head; null: no node was ever asked. */
            headAgeSeconds: number | null;
            /** @description When the chain was paused; null: it is not paused. */
            pausedAt: string | null;
            /** @description Whether a server's configuration names the chain. */
            configured: boolean;
            /** @description Whether collections or streams need the chain. */
            wanted: boolean;
            /** @description Whether a living process holds the lease of the chain, which is the right to follow it. */
            held: boolean;
            /** @description Collections on the chain, in every state. */
            collections: number;
            /** @description Streams that watch the chain, in every state. */
            streams: number;
            /** @description Why the chain is not followed as it should be; null: nothing is wrong. */
            fault: string | null;
            /** @description Nodes of the chain, in the order of the configuration; null: the process that answers has none in its configuration. */
            endpoints: components["schemas"]["AdminEndpoint"][] | null;
        };
        /** @description A node of a chain, as the process that answers knows it. */
        AdminEndpoint: {
            /**
             * @description Host of the node. Where several nodes of the configuration share a host, the second one is HOST#2, and so on.
             * @example node.example:8545#2
             */
            name: string;
            /**
             * @description good: the node answers; away: it does not, and the server tries it again by itself; limited: it asked for a pause; other_chain: it serves another chain; unreadable: it answers, and its last answer to a method cannot be right (`fault` says which and why); unasked: the process that answers has not called it yet.
             * @enum {string}
             */
            state: "good" | "away" | "limited" | "other_chain" | "unreadable" | "unasked";
            /** @description Calls that this process has sent to the node since its start or the last reset of the chain; each call of a batch counts. */
            calls: number;
            /** @description How many of these calls the node did not answer. A call that reverts counts as answered. */
            failed: number;
            /** @description Average time of an exchange in milliseconds, the latest weighing most; null: no call was answered. */
            averageMs: number | null;
            /** @description What is wrong with the node now, in its own words; null: nothing. */
            fault: string | null;
        };
        /** @description An EVM chain that was paused or resumed. */
        ChangedAdminChain: {
            /**
             * @description Id of the chain in hex.
             * @example 0x1
             */
            id: string;
            /**
             * @description Name of the chain.
             * @example eth
             */
            chain: string;
            /** @description Last block that was followed; null: the chain is not followed. */
            block: string | null;
            /** @description Head of the chain as its nodes say; null: no node was ever asked. */
            head: string | null;
            /** @description Last final block; null: no node was ever asked. */
            finalized: string | null;
            /** @description Blocks from `block` to `head`; null where one of the two is null. */
            lag: number | null;
            /** @description Seconds since a node last confirmed the head; null: no node was ever asked. */
            headAgeSeconds: number | null;
            /** @description When the chain was paused; null: it is not paused. */
            pausedAt: string | null;
            /** @description Whether a server's configuration names the chain. */
            configured: boolean;
            /** @description Whether collections or streams need the chain. */
            wanted: boolean;
            /** @description Whether a living process holds the lease of the chain, which is the right to follow it. */
            held: boolean;
            /** @description Collections on the chain, in every state. */
            collections: number;
            /** @description Streams that watch the chain, in every state. */
            streams: number;
            /** @description Why the chain is not followed as it should be; null: nothing is wrong. */
            fault: string | null;
            /** @description Nodes of the chain, in the order of the configuration; null: the process that answers has none in its configuration. */
            endpoints: components["schemas"]["AdminEndpoint"][] | null;
            /** @description false: the chain was in this state before. */
            changed: boolean;
        };
        /** @description How far a reset is. */
        ChainReset: {
            /**
             * @description Id of the chain in hex.
             * @example 0x1
             */
            id: string;
            /**
             * @description Name of the chain.
             * @example eth
             */
            chain: string;
            /** @description false: the reset goes on in the background, as one transaction; a second request meanwhile answers for the same reset. */
            done: boolean;
            /** @description Collections that are queued to be indexed anew; null until it is done. */
            collections: number | null;
            /** @description Streams that begin with its first block; null until it is done. */
            streams: number | null;
        };
        /** @description An API key, without its text. */
        ApiKey: {
            /**
             * @description Id of the key.
             * @example 3
             */
            id: string;
            /**
             * @description What the key is for.
             * @example shop
             */
            name: string;
            /**
             * @description read: the key may ask for records; admin: it may do everything.
             * @example read
             * @enum {string}
             */
            access: "read" | "admin";
            /** @description Requests a second that the key may make on average; null: as rateLimit of the configuration says. */
            requestsPerSecond: number | null;
            /** @description Requests that the key may make at once after a rest; null: as rateLimit of the configuration says. */
            burst: number | null;
            /**
             * Format: date-time
             * @description When the key was made.
             */
            createdAt: string;
            /** @description When a request last came with the key, to the minute; null: never. */
            lastUsedAt: string | null;
            /** @description When the key was revoked; null: it is valid. */
            revokedAt: string | null;
        };
        /** @description A new API key, with its text. */
        CreatedApiKey: {
            /**
             * @description Id of the key.
             * @example 3
             */
            id: string;
            /**
             * @description What the key is for.
             * @example shop
             */
            name: string;
            /**
             * @description read: the key may ask for records; admin: it may do everything.
             * @example read
             * @enum {string}
             */
            access: "read" | "admin";
            /** @description Requests a second that the key may make on average; null: as rateLimit of the configuration says. */
            requestsPerSecond: number | null;
            /** @description Requests that the key may make at once after a rest; null: as rateLimit of the configuration says. */
            burst: number | null;
            /**
             * Format: date-time
             * @description When the key was made.
             */
            createdAt: string;
            /** @description When a request last came with the key, to the minute; null: never. */
            lastUsedAt: string | null;
            /** @description When the key was revoked; null: it is valid. */
            revokedAt: string | null;
            /**
             * @description Text of the key, mm_…: shown here and never again.
             * @example mm_4q…
             */
            key: string;
        };
        /** @description Where a collection stands. */
        AdminCollection: {
            /**
             * @description Name of the chain.
             * @example eth
             */
            chain: string;
            /**
             * @description Id of the chain in hex.
             * @example 0x1
             */
            chainId: string;
            /**
             * @description Address of the contract.
             * @example 0x5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a
             */
            address: string;
            /**
             * @description queued: waits for its turn; syncing: history is read; live: followed at the head; none: the contract is no NFT contract, or is not known to be one yet where reason says why; nocode: no contract is at the address; failed: see reason.
             * @enum {string}
             */
            status: "queued" | "syncing" | "live" | "none" | "nocode" | "failed";
            /** @description Whether ownership covers every block up to the head, and a node confirmed that head lately. */
            synced: boolean;
            /** @description Why the collection failed or is not synced; null: no reason is known or needed. */
            reason: string | null;
            /** @description When a failed collection is tried again; null: it is not tried again by itself. */
            retryAt: string | null;
            /** @description Standard that the contract claims or that its first log showed; null: not known yet. */
            standard: ("ERC721" | "ERC1155") | null;
            /** @description Name that the contract gives. */
            name: string | null;
            /** @description Symbol that the contract gives. */
            symbol: string | null;
            /**
             * @description Tokens listed.
             * @example 0
             */
            tokens: string;
            /** @description First block of the history of the collection. */
            fromBlock: string | null;
            /** @description Last block that is covered without a gap. */
            toBlock: string | null;
            /** @description Head of the chain. */
            headBlock: string | null;
            /** @description Part of the blocks that is covered, from 0 to 1. */
            progress: number;
            /** @description Blocks of history read per second in the last minutes; null: no history is being read. */
            blocksPerSecond: number | null;
            /** @description Estimate of the seconds until the history is read, at that rate; null: no estimate can be made. */
            secondsLeft: number | null;
            /** @description Part of the tokens whose metadata was tried at least once, from 0 to 1. */
            metadataProgress: number;
            /** @description possible_spam of the records. */
            possibleSpam: boolean;
            /** @description verified_collection of the records. */
            verified: boolean;
            /** @description What is left out of the collection, and why; null: nothing. */
            incomplete: string | null;
        };
        /** @description All that is known of a collection. */
        AdminCollectionDetail: {
            /**
             * @description Name of the chain.
             * @example eth
             */
            chain: string;
            /**
             * @description Id of the chain in hex.
             * @example 0x1
             */
            chainId: string;
            /**
             * @description Address of the contract.
             * @example 0x5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a
             */
            address: string;
            /**
             * @description queued: waits for its turn; syncing: history is read; live: followed at the head; none: the contract is no NFT contract, or is not known to be one yet where reason says why; nocode: no contract is at the address; failed: see reason.
             * @enum {string}
             */
            status: "queued" | "syncing" | "live" | "none" | "nocode" | "failed";
            /** @description Whether ownership covers every block up to the head, and a node confirmed that head lately. */
            synced: boolean;
            /** @description Why the collection failed or is not synced; null: no reason is known or needed. */
            reason: string | null;
            /** @description When a failed collection is tried again; null: it is not tried again by itself. */
            retryAt: string | null;
            /** @description Standard that the contract claims or that its first log showed; null: not known yet. */
            standard: ("ERC721" | "ERC1155") | null;
            /** @description Name that the contract gives. */
            name: string | null;
            /** @description Symbol that the contract gives. */
            symbol: string | null;
            /**
             * @description Tokens listed.
             * @example 0
             */
            tokens: string;
            /** @description First block of the history of the collection. */
            fromBlock: string | null;
            /** @description Last block that is covered without a gap. */
            toBlock: string | null;
            /** @description Head of the chain. */
            headBlock: string | null;
            /** @description Part of the blocks that is covered, from 0 to 1. */
            progress: number;
            /** @description Blocks of history read per second in the last minutes; null: no history is being read. */
            blocksPerSecond: number | null;
            /** @description Estimate of the seconds until the history is read, at that rate; null: no estimate can be made. */
            secondsLeft: number | null;
            /** @description Part of the tokens whose metadata was tried at least once, from 0 to 1. */
            metadataProgress: number;
            /** @description possible_spam of the records. */
            possibleSpam: boolean;
            /** @description verified_collection of the records. */
            verified: boolean;
            /** @description What is left out of the collection, and why; null: nothing. */
            incomplete: string | null;
            /**
             * Format: date-time
             * @description When the collection was asked for.
             */
            requestedAt: string;
            /** @description The key that asked for the collection; null: not known. */
            requestedBy: {
                /** @description Id of the key; 0: the configuration's own, which commands use too. */
                keyId: string;
                /** @description Name of the key; null: the configuration's own, or a key that is gone. */
                name: string | null;
            } | null;
            /** @description null: counting took too long. */
            metadata: components["schemas"]["MetadataSummary"] | null;
            /** @description Hosts of the documents; null: counting took too long. */
            hosts: components["schemas"]["DocumentHost"][] | null;
            verdict: components["schemas"]["Verdict"];
            leftOut: components["schemas"]["LeftOut"];
            /**
             * @description Previews that were asked for, by status; null: counting took too long.
             * @example {
             *       "success": "12",
             *       "unsupported_media": "1"
             *     }
             */
            previews: {
                [key: string]: string;
            } | null;
        };
        /** @description The documents of the tokens by state. */
        MetadataSummary: {
            /**
             * @description Tokens whose document was read.
             * @example 0
             */
            ok: string;
            /**
             * @description Tokens whose document could not be read and is tried again.
             * @example 0
             */
            failed: string;
            /**
             * @description Tokens that are given up: the server does not try them again by itself.
             * @example 0
             */
            permanent: string;
            /**
             * @description Tokens whose document is to be read, now or later.
             * @example 0
             */
            due: string;
            /**
             * @description How many of the due tokens wait for a dead host.
             * @example 0
             */
            parked: string;
            /** @description Part of the tokens that was tried at least once, from 0 to 1. */
            progress: number;
            /** @description The search through all tokens for those that are to be read again; null: none is asked for. */
            sweep: {
                /** @description Earliest time at which the search begins; null: it is under way. */
                beginsAt: string | null;
            } | null;
            /** @description The most frequent reasons of failure, at most five. */
            reasons: {
                /** @description The reason in words. */
                reason: string;
                /**
                 * @description Tokens that fail for this reason.
                 * @example 0
                 */
                tokens: string;
            }[];
        };
        /** @description A host that documents come from. */
        DocumentHost: {
            /**
             * @description Host and port; ipfs or arweave: all gateways.
             * @example meta.example
             */
            host: string;
            /**
             * @description dead: the host does not answer, and its tokens wait.
             * @enum {string}
             */
            state: "ok" | "dead";
            /** @description Tries in a row without an answer. */
            failures: number;
            /** @description Why the last of these tries had no answer. */
            fault: string | null;
            /**
             * @description Tokens that wait for the host.
             * @example 0
             */
            tokensWaiting: string;
            /** @description Since when the host is dead; null: it answers. */
            deadSince: string | null;
            /** @description When the host last gave no answer. */
            faultAt: string | null;
            /** @description When a dead host is tried next. */
            retryAt: string | null;
        };
        /** @description Whether a collection counts as spam and as verified, and why. */
        Verdict: {
            /** @description possible_spam of the records. */
            possibleSpam: boolean;
            /** @description verified_collection of the records. */
            verified: boolean;
            /** @description Score by the rules of docs/spam.md. */
            score: number;
            /** @description Lists that name the contract, and one line for each rule that applies. */
            reasons: string[];
            /** @description The operator's word, over lists and rules; null: none. */
            spamOverride: boolean | null;
            /** @description The operator's word, over lists; null: none. */
            verifiedOverride: boolean | null;
            /** @description When lists and rules last judged the collection; null: not yet. */
            assessedAt: string | null;
        };
        /** @description Transfers on the chain that are left out of the collection. */
        LeftOut: {
            /**
             * @description Logs that name too many tokens, left out whole.
             * @example 0
             */
            wideLogs: string;
            /**
             * @description Transfers of tokens beyond sync.maxTokens.
             * @example 0
             */
            surplusTransfers: string;
            /** @description The latest logs of which something is left out, at most 20. */
            logs: {
                /**
                 * @description Block of the log.
                 * @example 0
                 */
                block: string;
                /** @description Index of the log in the block. */
                logIndex: number;
                /**
                 * @description wide: the log names too many tokens; surplus: tokens beyond sync.maxTokens.
                 * @enum {string}
                 */
                reason: "wide" | "surplus";
                /**
                 * @description How many transfers of the log are left out.
                 * @example 0
                 */
                transfers: string;
                /** @description Transaction of the log. */
                transactionHash: string;
            }[];
        };
        /** @description A collection that was removed. */
        CollectionRemoval: {
            /**
             * @description Name of the chain.
             * @example eth
             */
            chain: string;
            /**
             * @description Id of the chain in hex.
             * @example 0x1
             */
            chainId: string;
            /**
             * @description Address of the contract.
             * @example 0x5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a
             */
            address: string;
            /**
             * @description Tokens that the collection listed. What is stored of them is removed in the background.
             * @example 0
             */
            tokens: string;
            /** @description Whether the collection is queued to be indexed from the beginning. */
            queued: boolean;
        };
        /** @description What a stream would have matched in the last blocks. */
        StreamPreview: {
            /**
             * @description The chain, in hex.
             * @example 0x1
             */
            chainId: string;
            /**
             * @description First block that was looked at.
             * @example 19000000
             */
            fromBlock: string;
            /**
             * @description Last block that was looked at: the head.
             * @example 19000019
             */
            toBlock: string;
            /** @description How many blocks were looked at. */
            blocks: number;
            /** @description What is missing; empty where nothing is. */
            cutShort: {
                /**
                 * @description time: earlier blocks were not read in time; node: the nodes do not give an earlier block; stream: the stream cannot be matched in an earlier block; samples: the samples hold only some of the webhooks.
                 * @enum {string}
                 */
                reason: "time" | "node" | "stream" | "samples";
                /** @description What was left out, and why. */
                message: string;
            }[];
            /** @description What matched in the blocks that were looked at. */
            matched: {
                /** @description Blocks in which anything matched. */
                blocks: number;
                /** @description Webhooks of these blocks: one a block, or several where a block is too large for one. */
                webhooks: number;
                /** @description Logs in these webhooks. */
                logs: number;
                /** @description Transactions in these webhooks. */
                txs: number;
                /** @description Transfers of value inside of transactions. */
                txsInternal: number;
                /** @description Transfers of ERC-20 tokens among the logs. */
                erc20Transfers: number;
                /** @description Transfers of NFTs among the logs. */
                nftTransfers: number;
            };
            /** @description Bodies of the webhooks as they would be sent, one for each block or part of a block, newest block first. confirmed is true where the block is confirmed by now; streamId is empty where none was given. */
            samples: {
                [key: string]: unknown;
            }[];
        };
        /** @description A test webhook, and what the receiver said. */
        SentTestWebhook: {
            /**
             * Format: uuid
             * @description The stream.
             */
            streamId: string;
            /**
             * @description Address that the test webhook went to.
             * @example https://shop.example/hooks
             */
            webhookUrl: string;
            /**
             * Format: uuid
             * @description Value of the header webhook-id.
             */
            webhookId: string;
            /**
             * @description success: the answer was a 2xx.
             * @enum {string}
             */
            deliveryStatus: "failed" | "success";
            /** @description Status of the answer; null where there was no answer. */
            statusCode: number | null;
            /** @description How long the attempt took, in milliseconds. */
            latencyMs: number;
            /** @description First kilobyte of the answer. */
            response: string;
            /** @description Why the attempt failed; empty after a success. */
            errorMessage: string;
            /**
             * Format: date-time
             * @description When the test webhook was sent.
             */
            createdAt: string;
        };
        /** @description What was found, by kind. */
        SearchResult: {
            /** @description Found by address or its beginning, and by name. */
            collections: {
                /** @description At most 20 items. */
                result: components["schemas"]["FoundCollection"][];
                /** @description Whether there are others: a longer text finds fewer. */
                more: boolean;
                /** @description Whether not everything was looked at, so that there may be others. */
                cutShort: boolean;
            };
            /** @description Found by id, address/id or chain/address/id. */
            tokens: {
                /** @description At most 20 items. */
                result: components["schemas"]["FoundToken"][];
                /** @description Whether there are others: a longer text finds fewer. */
                more: boolean;
                /** @description Whether not everything was looked at, so that there may be others. */
                cutShort: boolean;
            };
            /** @description Found by type, by the hash of the type or its beginning, by name and by symbol. */
            coins: {
                /** @description At most 20 items. */
                result: components["schemas"]["FoundCoin"][];
                /** @description Whether there are others: a longer text finds fewer. */
                more: boolean;
                /** @description Whether not everything was looked at, so that there may be others. */
                cutShort: boolean;
            };
            /** @description Found by tag, by id or its beginning, and by an address that the stream watches. */
            streams: {
                /** @description At most 20 items. */
                result: components["schemas"]["FoundStream"][];
                /** @description Whether there are others: a longer text finds fewer. */
                more: boolean;
                /** @description Whether not everything was looked at, so that there may be others. */
                cutShort: boolean;
            };
        };
        /** @description A stream that was found. */
        FoundStream: {
            /**
             * Format: uuid
             * @description The stream.
             */
            id: string;
            /** @description Part of every webhook. */
            tag: string;
            /** @description What the stream is for. */
            description: string;
            /**
             * @description Status of the stream.
             * @example active
             */
            status: string;
            /**
             * @description Names of the chains that the stream watches.
             * @example [
             *       "eth"
             *     ]
             */
            chains: string[];
        };
    };
    responses: {
        /** @description The key is missing or unknown. */
        Unauthorized: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                /** @description How to send a key. */
                "www-authenticate": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path has no such method. */
        MethodNotAllowed: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                /** @description The methods of the path. */
                allow: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The client takes no JSON. */
        NotAcceptable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request cannot be done in the present state; the message says why. */
        Conflict: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is too long. */
        PayloadTooLarge: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Path and query are too long. */
        UriTooLong: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests, too many wrong keys from one address, or too much is waiting. */
        TooManyRequests: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server failed; its log has the x-request-id. */
        ServerError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The server is starting, something that it needs does not answer, or a disk takes no writes. */
        Unavailable: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                "retry-after": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A parameter or the body is wrong. */
        BadRequest: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description What is asked for does not exist. */
        NotFound: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key lacks the right. */
        Forbidden: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description What is asked for was removed; the message says why. */
        Gone: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Names this request in the server's log; the client's own where it sent one. */
        RequestId: string;
        /** @description Requests that the key may make at once after a rest. */
        RateLimitLimit: string;
        /** @description How many of these requests are left. */
        RateLimitRemaining: string;
        /** @description Whole seconds until all of these requests are available again. */
        RateLimitReset: string;
        /** @description Whole seconds after which to ask again. */
        RetryAfter: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getContractNFTs: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
                /** @description How token_id is written. */
                format?: "decimal" | "hex";
                /** @description Most records on a page. */
                limit?: number;
                /** @description false: total counts the collection, or the part of it that is asked for. */
                disable_total?: boolean;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description true: fills normalized_metadata. */
                normalizeMetadata?: boolean;
                /** @description true: fills media. */
                media_items?: boolean;
                /** @description Cuts the collection into this many parts, to be walked side by side; needs range. */
                totalRanges?: number;
                /** @description Which of the totalRanges parts, from 0 to totalRanges − 1; needs totalRanges. */
                range?: number;
                /** @description Only tokens with these traits, each as Type:Value, given up to 20 times: one of the values for each type that is named. Commas are part of a value; \: is a colon and \\ a backslash. */
                traits?: string[];
                /** @description Shows ownership as it was at the end of this block; metadata is that of today. Any block that is covered without a gap since the contract was made, or before that. */
                as_of_block?: string;
                /** @description rarity: adds rarity_rank and rarity_percentage to records. The first request has the tokens ranked. */
                include?: "rarity";
            };
            header?: never;
            path: {
                /** @description The contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description Hash of the block as_of_block on the chain now; missing where no block was asked for. Where it is another one than before, a reorganisation took the earlier block away. */
                    "x-as-of-block-hash"?: string;
                    /** @description With include=rarity: how many documents were ranked; 0 until they are. */
                    "x-rarity-documents"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": null,
                     *       "page": 0,
                     *       "page_size": 1,
                     *       "cursor": "GYpbgukHhFE4bc4ZMfNNqkMxZ0B2gP3u7tTAqomv4ZRb",
                     *       "result": [
                     *         {
                     *           "token_address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *           "token_id": "1",
                     *           "token_hash": "1110988e2d21ed8c8c812d32d0fdc5d2",
                     *           "owner_of": "0x46efbaedc92067e6d60e84ed6395099723252496",
                     *           "minter_address": "0xaba7161a7fb69c88e16ed9f455ce62b791ee4d03",
                     *           "block_number": "14939840",
                     *           "block_number_minted": "12287507",
                     *           "amount": "1",
                     *           "contract_type": "ERC721",
                     *           "name": "BoredApeYachtClub",
                     *           "symbol": "BAYC",
                     *           "token_uri": "ipfs://QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq/1",
                     *           "metadata": "{\"image\":\"ipfs://QmPbxeGcXhYQQNgsC6a36dDyYUcHgMLnGKnF8pVFmGsvqi\",\"attributes\":[{\"trait_type\":\"Mouth\",\"value\":\"Grin\"}]}",
                     *           "normalized_metadata": {
                     *             "name": null,
                     *             "description": null,
                     *             "image": "ipfs://QmPbxeGcXhYQQNgsC6a36dDyYUcHgMLnGKnF8pVFmGsvqi",
                     *             "external_link": null,
                     *             "external_url": null,
                     *             "animation_url": null,
                     *             "attributes": [
                     *               {
                     *                 "trait_type": "Mouth",
                     *                 "value": "Grin",
                     *                 "display_type": null,
                     *                 "max_value": null,
                     *                 "trait_count": 713,
                     *                 "order": null
                     *               }
                     *             ]
                     *           },
                     *           "media": {
                     *             "status": "success",
                     *             "original_media_url": "ipfs://QmPbxeGcXhYQQNgsC6a36dDyYUcHgMLnGKnF8pVFmGsvqi",
                     *             "mimetype": "image/png",
                     *             "category": "image",
                     *             "parent_hash": "6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e",
                     *             "updatedAt": "2026-01-31T12:00:05.000Z",
                     *             "media_collection": {
                     *               "low": {
                     *                 "width": 100,
                     *                 "height": 100,
                     *                 "url": "http://127.0.0.1:8080/media/6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e/low.webp"
                     *               },
                     *               "medium": {
                     *                 "width": 250,
                     *                 "height": 250,
                     *                 "url": "http://127.0.0.1:8080/media/6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e/medium.webp"
                     *               },
                     *               "high": {
                     *                 "width": 500,
                     *                 "height": 500,
                     *                 "url": "http://127.0.0.1:8080/media/6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e/high.webp"
                     *               }
                     *             }
                     *           },
                     *           "last_token_uri_sync": "2026-01-31T12:00:00.000Z",
                     *           "last_metadata_sync": "2026-01-31T12:00:01.000Z",
                     *           "possible_spam": false,
                     *           "verified_collection": true
                     *         }
                     *       ],
                     *       "status": "SYNCED"
                     *     }
                     */
                    "application/json": components["schemas"]["NftPage"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description Hash of the block as_of_block on the chain now; missing where no block was asked for. Where it is another one than before, a reorganisation took the earlier block away. */
                    "x-as-of-block-hash"?: string;
                    /** @description With include=rarity: how many documents were ranked; 0 until they are. */
                    "x-rarity-documents"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or the body is wrong. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description What is asked for does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNFT: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
                /** @description How token_id is written. */
                format?: "decimal" | "hex";
                /** @description Fill normalized_metadata. */
                normalizeMetadata?: boolean;
                /** @description Fill media. */
                media_items?: boolean;
                /** @description Shows ownership as it was at the end of this block; metadata is that of today. Any block that is covered without a gap since the contract was made, or before that. */
                as_of_block?: string;
                /** @description rarity: adds rarity_rank and rarity_percentage to records. The first request has the tokens ranked. */
                include?: "rarity";
            };
            header?: never;
            path: {
                /** @description The contract. */
                address: string;
                /** @description The token, decimal or hex, whatever format says. */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The token. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description Hash of the block as_of_block on the chain now; missing where no block was asked for. Where it is another one than before, a reorganisation took the earlier block away. */
                    "x-as-of-block-hash"?: string;
                    /** @description With include=rarity: how many documents were ranked; 0 until they are. */
                    "x-rarity-documents"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token_address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *       "token_id": "1",
                     *       "token_hash": "1110988e2d21ed8c8c812d32d0fdc5d2",
                     *       "owner_of": "0x46efbaedc92067e6d60e84ed6395099723252496",
                     *       "minter_address": "0xaba7161a7fb69c88e16ed9f455ce62b791ee4d03",
                     *       "block_number": "14939840",
                     *       "block_number_minted": "12287507",
                     *       "amount": "1",
                     *       "contract_type": "ERC721",
                     *       "name": "BoredApeYachtClub",
                     *       "symbol": "BAYC",
                     *       "token_uri": "ipfs://QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq/1",
                     *       "metadata": "{\"image\":\"ipfs://QmPbxeGcXhYQQNgsC6a36dDyYUcHgMLnGKnF8pVFmGsvqi\",\"attributes\":[{\"trait_type\":\"Mouth\",\"value\":\"Grin\"}]}",
                     *       "normalized_metadata": {
                     *         "name": null,
                     *         "description": null,
                     *         "image": "ipfs://QmPbxeGcXhYQQNgsC6a36dDyYUcHgMLnGKnF8pVFmGsvqi",
                     *         "external_link": null,
                     *         "external_url": null,
                     *         "animation_url": null,
                     *         "attributes": [
                     *           {
                     *             "trait_type": "Mouth",
                     *             "value": "Grin",
                     *             "display_type": null,
                     *             "max_value": null,
                     *             "trait_count": 713,
                     *             "order": null
                     *           }
                     *         ]
                     *       },
                     *       "media": {
                     *         "status": "success",
                     *         "original_media_url": "ipfs://QmPbxeGcXhYQQNgsC6a36dDyYUcHgMLnGKnF8pVFmGsvqi",
                     *         "mimetype": "image/png",
                     *         "category": "image",
                     *         "parent_hash": "6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e",
                     *         "updatedAt": "2026-01-31T12:00:05.000Z",
                     *         "media_collection": {
                     *           "low": {
                     *             "width": 100,
                     *             "height": 100,
                     *             "url": "http://127.0.0.1:8080/media/6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e/low.webp"
                     *           },
                     *           "medium": {
                     *             "width": 250,
                     *             "height": 250,
                     *             "url": "http://127.0.0.1:8080/media/6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e/medium.webp"
                     *           },
                     *           "high": {
                     *             "width": 500,
                     *             "height": 500,
                     *             "url": "http://127.0.0.1:8080/media/6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e/high.webp"
                     *           }
                     *         }
                     *       },
                     *       "last_token_uri_sync": "2026-01-31T12:00:00.000Z",
                     *       "last_metadata_sync": "2026-01-31T12:00:01.000Z",
                     *       "possible_spam": false,
                     *       "verified_collection": true
                     *     }
                     */
                    "application/json": components["schemas"]["Nft"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description Hash of the block as_of_block on the chain now; missing where no block was asked for. Where it is another one than before, a reorganisation took the earlier block away. */
                    "x-as-of-block-hash"?: string;
                    /** @description With include=rarity: how many documents were ranked; 0 until they are. */
                    "x-rarity-documents"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or the body is wrong. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description What is asked for does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description Hash of the block as_of_block on the chain now; missing where no block was asked for. Where it is another one than before, a reorganisation took the earlier block away. */
                    "x-as-of-block-hash"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMultipleNFTs: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
                /** @description How token_id is written. What the body says of it holds. */
                format?: "decimal" | "hex";
                /** @description Fill normalized_metadata. What the body says of it holds. */
                normalizeMetadata?: boolean;
                /** @description Fill media. What the body says of it holds. */
                media_items?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The tokens, of any contracts of the chain. */
                    tokens: {
                        /**
                         * @description The contract.
                         * @example 0x5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a
                         */
                        token_address: string;
                        /**
                         * @description The token, decimal or hex, whatever format says.
                         * @example 1
                         * @example 0x1
                         */
                        token_id: string;
                    }[];
                    /**
                     * @description How token_id is written; decimal where left out.
                     * @enum {string}
                     */
                    format?: "decimal" | "hex";
                    /** @description Fill normalized_metadata; false where left out. */
                    normalizeMetadata?: boolean;
                    /** @description Fill media; false where left out. */
                    media_items?: boolean;
                };
            };
        };
        responses: {
            /** @description The tokens. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "token_address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *         "token_id": "1",
                     *         "token_hash": "1110988e2d21ed8c8c812d32d0fdc5d2",
                     *         "owner_of": "0x46efbaedc92067e6d60e84ed6395099723252496",
                     *         "minter_address": "0xaba7161a7fb69c88e16ed9f455ce62b791ee4d03",
                     *         "block_number": "14939840",
                     *         "block_number_minted": "12287507",
                     *         "amount": "1",
                     *         "contract_type": "ERC721",
                     *         "name": "BoredApeYachtClub",
                     *         "symbol": "BAYC",
                     *         "token_uri": "ipfs://QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq/1",
                     *         "metadata": "{\"image\":\"ipfs://QmPbxeGcXhYQQNgsC6a36dDyYUcHgMLnGKnF8pVFmGsvqi\",\"attributes\":[{\"trait_type\":\"Mouth\",\"value\":\"Grin\"}]}",
                     *         "normalized_metadata": {
                     *           "name": null,
                     *           "description": null,
                     *           "image": "ipfs://QmPbxeGcXhYQQNgsC6a36dDyYUcHgMLnGKnF8pVFmGsvqi",
                     *           "external_link": null,
                     *           "external_url": null,
                     *           "animation_url": null,
                     *           "attributes": [
                     *             {
                     *               "trait_type": "Mouth",
                     *               "value": "Grin",
                     *               "display_type": null,
                     *               "max_value": null,
                     *               "trait_count": 713,
                     *               "order": null
                     *             }
                     *           ]
                     *         },
                     *         "media": {
                     *           "status": "success",
                     *           "original_media_url": "ipfs://QmPbxeGcXhYQQNgsC6a36dDyYUcHgMLnGKnF8pVFmGsvqi",
                     *           "mimetype": "image/png",
                     *           "category": "image",
                     *           "parent_hash": "6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e",
                     *           "updatedAt": "2026-01-31T12:00:05.000Z",
                     *           "media_collection": {
                     *             "low": {
                     *               "width": 100,
                     *               "height": 100,
                     *               "url": "http://127.0.0.1:8080/media/6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e/low.webp"
                     *             },
                     *             "medium": {
                     *               "width": 250,
                     *               "height": 250,
                     *               "url": "http://127.0.0.1:8080/media/6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e/medium.webp"
                     *             },
                     *             "high": {
                     *               "width": 500,
                     *               "height": 500,
                     *               "url": "http://127.0.0.1:8080/media/6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e/high.webp"
                     *             }
                     *           }
                     *         },
                     *         "last_token_uri_sync": "2026-01-31T12:00:00.000Z",
                     *         "last_metadata_sync": "2026-01-31T12:00:01.000Z",
                     *         "possible_spam": false,
                     *         "verified_collection": true
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Nft"][];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNFTContractMetadata: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
            };
            header?: never;
            path: {
                /** @description The contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contract. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token_address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *       "name": "BoredApeYachtClub",
                     *       "symbol": "BAYC",
                     *       "contract_type": "ERC721",
                     *       "synced_at": "2026-01-31T12:00:00.000Z",
                     *       "possible_spam": false,
                     *       "verified_collection": true
                     *     }
                     */
                    "application/json": components["schemas"]["NftContract"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description What is asked for does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportContractNFTs: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
                /** @description csv: a head and a line for each row. ndjson: a JSON object on each line. */
                format?: "csv" | "ndjson";
            };
            header?: never;
            path: {
                /** @description The contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the file, for If-None-Match. */
                    etag: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description The name under which browsers save the file. */
                    "content-disposition"?: string;
                    /** @description Rows of the file. */
                    "x-export-tokens"?: string;
                    /** @description Version of the collection before it was read. */
                    "x-export-version"?: string;
                    /** @description Version of the collection after it was read; the same as x-export-version: all rows are of one moment. */
                    "x-export-end-version"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the file, for If-None-Match. */
                    etag: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description The name under which browsers save the file. */
                    "content-disposition"?: string;
                    /** @description Rows of the file. */
                    "x-export-tokens"?: string;
                    /** @description Version of the collection before it was read. */
                    "x-export-version"?: string;
                    /** @description Version of the collection after it was read; the same as x-export-version: all rows are of one moment. */
                    "x-export-end-version"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description What is asked for does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getContractSnapshot: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
                /** @description The holders at the end of this block, which has to be covered; left out: the last final block that is covered. */
                as_of_block?: string;
                /** @description csv: a head and a line for each row. ndjson: a JSON object on each line. */
                format?: "csv" | "ndjson";
            };
            header?: never;
            path: {
                /** @description The contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the file, for If-None-Match. */
                    etag: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description The name under which browsers save the file. */
                    "content-disposition"?: string;
                    /** @description Hash of the block. */
                    "x-as-of-block-hash": string;
                    /** @description Number of the block. */
                    "x-snapshot-block": string;
                    /** @description Hash of the block. */
                    "x-snapshot-block-hash": string;
                    /** @description Rows of the file. */
                    "x-snapshot-holders"?: string;
                    /** @description Root of the Merkle tree of all rows; missing where there are none. */
                    "x-snapshot-root"?: string;
                    /** @description What the file is of, as JSON: stored beside the file, under its name with .json behind it, it is what `mintmark verify --snapshot` reads. */
                    "x-snapshot-facts"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the file, for If-None-Match. */
                    etag: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description The name under which browsers save the file. */
                    "content-disposition"?: string;
                    /** @description Hash of the block. */
                    "x-as-of-block-hash": string;
                    /** @description Number of the block. */
                    "x-snapshot-block": string;
                    /** @description Hash of the block. */
                    "x-snapshot-block-hash": string;
                    /** @description Rows of the file. */
                    "x-snapshot-holders"?: string;
                    /** @description Root of the Merkle tree of all rows; missing where there are none. */
                    "x-snapshot-root"?: string;
                    /** @description What the file is of, as JSON: stored beside the file, under its name with .json behind it, it is what `mintmark verify --snapshot` reads. */
                    "x-snapshot-facts"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or the body is wrong. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description What is asked for does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reSyncMetadata: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
                /** @description Either value has both read again, the URI and the document behind it. */
                flag?: "uri" | "metadata";
                /** @description Either value is answered at once. */
                mode?: "async" | "sync";
            };
            header?: never;
            path: {
                /** @description The contract. */
                address: string;
                /** @description The token, decimal or hex. */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description State of the document. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "due",
                     *       "reason": null,
                     *       "attempts": 0,
                     *       "tried_at": "2026-01-31T12:00:01.000Z",
                     *       "next_at": "2026-01-31T12:05:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description due and failed: the document is read at next_at; ok: it was read; permanent: it is read again on demand only.
                         * @enum {string}
                         */
                        status: "due" | "ok" | "failed" | "permanent";
                        /** @description Why the document could not be read. */
                        reason: string | null;
                        /** @description Attempts in a row that failed. */
                        attempts: number;
                        /** @description When the document was last tried. */
                        tried_at: string | null;
                        /** @description When the document is tried next; null: on demand. */
                        next_at: string | null;
                    };
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description What is asked for does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reSyncMetadataByPost: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
                /** @description Either value has both read again, the URI and the document behind it. */
                flag?: "uri" | "metadata";
                /** @description Either value is answered at once. */
                mode?: "async" | "sync";
            };
            header?: never;
            path: {
                /** @description The contract. */
                address: string;
                /** @description The token, decimal or hex. */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description State of the document. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "due",
                     *       "reason": null,
                     *       "attempts": 0,
                     *       "tried_at": "2026-01-31T12:00:01.000Z",
                     *       "next_at": "2026-01-31T12:05:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description due and failed: the document is read at next_at; ok: it was read; permanent: it is read again on demand only.
                         * @enum {string}
                         */
                        status: "due" | "ok" | "failed" | "permanent";
                        /** @description Why the document could not be read. */
                        reason: string | null;
                        /** @description Attempts in a row that failed. */
                        attempts: number;
                        /** @description When the document was last tried. */
                        tried_at: string | null;
                        /** @description When the document is tried next; null: on demand. */
                        next_at: string | null;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description What is asked for does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    syncNFTContract: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
            };
            header?: never;
            path: {
                /** @description The contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Reading the metadata again is asked for. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "SYNCING",
                     *       "metadata_progress": 0.25
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Whether ownership covers every block up to the head.
                         * @enum {string}
                         */
                        status: "SYNCED" | "SYNCING";
                        /** @description Read part of the metadata, from 0 to 1. */
                        metadata_progress: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description What is asked for does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNFTMetadataHistory: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
                /** @description Most documents. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The contract. */
                address: string;
                /** @description The token, decimal or hex. */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Documents of the token. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "document_hash": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
                     *           "token_uri": "ipfs://QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq/1",
                     *           "metadata": "{\"image\":\"ipfs://QmPbxeGcXhYQQNgsC6a36dDyYUcHgMLnGKnF8pVFmGsvqi\",\"attributes\":[{\"trait_type\":\"Mouth\",\"value\":\"Grin\"}]}",
                     *           "since": "2026-01-31T12:00:01.000Z",
                     *           "until": null
                     *         }
                     *       ],
                     *       "dropped": 0
                     *     }
                     */
                    "application/json": {
                        /** @description The documents. */
                        result: {
                            /** @description SHA-256 of the document. */
                            document_hash: string | null;
                            /** @description Address of the document. */
                            token_uri: string | null;
                            /** @description The document as JSON text. */
                            metadata: string | null;
                            /** @description When the document was first read. */
                            since: string | null;
                            /** @description When another document took its place; null: it is the present one. */
                            until: string | null;
                        }[];
                        /** @description How many older documents were removed; 0: the history is complete. */
                        dropped: number;
                    };
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description What is asked for does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNFTTraits: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
                /** @description Most traits on a page. */
                limit?: number;
                /** @description false: total counts the values of all traits. */
                disable_total?: boolean;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": null,
                     *       "page": 0,
                     *       "page_size": 100,
                     *       "cursor": null,
                     *       "result": [
                     *         {
                     *           "trait_type": "Eyes",
                     *           "value": "Laser Eyes",
                     *           "count": 69,
                     *           "percentage": 0.69
                     *         },
                     *         {
                     *           "trait_type": "Mouth",
                     *           "value": "Grin",
                     *           "count": 713,
                     *           "percentage": 7.13
                     *         }
                     *       ],
                     *       "status": "SYNCED"
                     *     }
                     */
                    "application/json": components["schemas"]["NftTraitPage"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description What is asked for does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNFTContractTransfers: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
                /** @description How token_id is written. */
                format?: "decimal" | "hex";
                /** @description Most transfers on a page. */
                limit?: number;
                /** @description DESC: the latest first; ASC: the earliest first. */
                order?: "DESC" | "ASC";
                /** @description false: total counts the transfers; null where more than 100,000 had to be counted. */
                disable_total?: boolean;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description The first block. Where from_date is given too, this holds. */
                from_block?: number;
                /** @description The last block. Where to_date is given too, this holds. */
                to_block?: number;
                /** @description Only blocks that are not before this moment. ISO 8601 (UTC where it names no zone), RFC 5322, or seconds since 1970 (milliseconds with twelve digits and more). */
                from_date?: string;
                /** @description Only blocks that are not after this moment. ISO 8601 (UTC where it names no zone), RFC 5322, or seconds since 1970 (milliseconds with twelve digits and more). */
                to_date?: string;
            };
            header?: never;
            path: {
                /** @description The contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": null,
                     *       "page": 0,
                     *       "page_size": 100,
                     *       "cursor": null,
                     *       "result": [
                     *         {
                     *           "token_id": "1",
                     *           "token_address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *           "contract_type": "ERC721",
                     *           "verified": true,
                     *           "possible_spam": false,
                     *           "from_address": "0x0000000000000000000000000000000000000000",
                     *           "to_address": "0xaba7161a7fb69c88e16ed9f455ce62b791ee4d03",
                     *           "amount": "1",
                     *           "block_number": "12287507",
                     *           "block_hash": "0x7e2ea8a9e7ae7f9e0d3b2d8b7ffb9d1a9f5e3b7f1cbb9a2fbe4e5b0a7ce0d6f4",
                     *           "block_timestamp": "2021-04-22T04:24:49.000Z",
                     *           "transaction_hash": "0x22199329b0aa1aa68902a78e3b32ca327c872fab166c7a2838273de6ad383eba",
                     *           "transaction_index": 88,
                     *           "log_index": 112,
                     *           "operator": null,
                     *           "value": null
                     *         }
                     *       ],
                     *       "status": "SYNCED"
                     *     }
                     */
                    "application/json": components["schemas"]["NftTransferPage"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description What is asked for does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNFTTransfers: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
                /** @description How token_id is written. */
                format?: "decimal" | "hex";
                /** @description Most transfers on a page. */
                limit?: number;
                /** @description DESC: the latest first; ASC: the earliest first. */
                order?: "DESC" | "ASC";
                /** @description false: total counts the transfers; null where more than 100,000 had to be counted. */
                disable_total?: boolean;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description The first block. Where from_date is given too, this holds. */
                from_block?: number;
                /** @description The last block. Where to_date is given too, this holds. */
                to_block?: number;
                /** @description Only blocks that are not before this moment. ISO 8601 (UTC where it names no zone), RFC 5322, or seconds since 1970 (milliseconds with twelve digits and more). */
                from_date?: string;
                /** @description Only blocks that are not after this moment. ISO 8601 (UTC where it names no zone), RFC 5322, or seconds since 1970 (milliseconds with twelve digits and more). */
                to_date?: string;
            };
            header?: never;
            path: {
                /** @description The contract. */
                address: string;
                /** @description The token, decimal or hex, whatever format says. */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": null,
                     *       "page": 0,
                     *       "page_size": 100,
                     *       "cursor": null,
                     *       "result": [
                     *         {
                     *           "token_id": "1",
                     *           "token_address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *           "contract_type": "ERC721",
                     *           "verified": true,
                     *           "possible_spam": false,
                     *           "from_address": "0x0000000000000000000000000000000000000000",
                     *           "to_address": "0xaba7161a7fb69c88e16ed9f455ce62b791ee4d03",
                     *           "amount": "1",
                     *           "block_number": "12287507",
                     *           "block_hash": "0x7e2ea8a9e7ae7f9e0d3b2d8b7ffb9d1a9f5e3b7f1cbb9a2fbe4e5b0a7ce0d6f4",
                     *           "block_timestamp": "2021-04-22T04:24:49.000Z",
                     *           "transaction_hash": "0x22199329b0aa1aa68902a78e3b32ca327c872fab166c7a2838273de6ad383eba",
                     *           "transaction_index": 88,
                     *           "log_index": 112,
                     *           "operator": null,
                     *           "value": null
                     *         }
                     *       ],
                     *       "status": "SYNCED"
                     *     }
                     */
                    "application/json": components["schemas"]["NftTransferPage"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description What is asked for does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNFTTransfersFromToBlock: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
                /** @description How token_id is written. */
                format?: "decimal" | "hex";
                /** @description Most transfers on a page. */
                limit?: number;
                /** @description DESC: the latest first; ASC: the earliest first. */
                order?: "DESC" | "ASC";
                /** @description false: total counts the transfers; null where more than 100,000 had to be counted. */
                disable_total?: boolean;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description The first block. Where from_date is given too, this holds. */
                from_block?: number;
                /** @description The last block. Where to_date is given too, this holds. */
                to_block?: number;
                /** @description Only blocks that are not before this moment. ISO 8601 (UTC where it names no zone), RFC 5322, or seconds since 1970 (milliseconds with twelve digits and more). */
                from_date?: string;
                /** @description Only blocks that are not after this moment. ISO 8601 (UTC where it names no zone), RFC 5322, or seconds since 1970 (milliseconds with twelve digits and more). */
                to_date?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing of all collections that the answer covers. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description With token_addresses or contract_addresses: the lowest part of a history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description With token_addresses or contract_addresses: the lowest part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block up to which the answer covers all of these collections; missing where there is none. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description Of how many of these collections something was left out, or, where contracts are named, what of one of them; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description How many collections of the chain the answer covers. */
                    "x-index-collections": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": null,
                     *       "page": 0,
                     *       "page_size": 100,
                     *       "cursor": null,
                     *       "result": [
                     *         {
                     *           "token_id": "1",
                     *           "token_address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *           "contract_type": "ERC721",
                     *           "verified": true,
                     *           "possible_spam": false,
                     *           "from_address": "0x0000000000000000000000000000000000000000",
                     *           "to_address": "0xaba7161a7fb69c88e16ed9f455ce62b791ee4d03",
                     *           "amount": "1",
                     *           "block_number": "12287507",
                     *           "block_hash": "0x7e2ea8a9e7ae7f9e0d3b2d8b7ffb9d1a9f5e3b7f1cbb9a2fbe4e5b0a7ce0d6f4",
                     *           "block_timestamp": "2021-04-22T04:24:49.000Z",
                     *           "transaction_hash": "0x22199329b0aa1aa68902a78e3b32ca327c872fab166c7a2838273de6ad383eba",
                     *           "transaction_index": 88,
                     *           "log_index": 112,
                     *           "operator": null,
                     *           "value": null
                     *         }
                     *       ],
                     *       "status": "SYNCED"
                     *     }
                     */
                    "application/json": components["schemas"]["NftTransferPage"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing of all collections that the answer covers. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description With token_addresses or contract_addresses: the lowest part of a history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description With token_addresses or contract_addresses: the lowest part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block up to which the answer covers all of these collections; missing where there is none. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description Of how many of these collections something was left out, or, where contracts are named, what of one of them; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description How many collections of the chain the answer covers. */
                    "x-index-collections": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNFTTransfersByBlock: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
                /** @description How token_id is written. */
                format?: "decimal" | "hex";
                /** @description Most transfers on a page. */
                limit?: number;
                /** @description DESC: the latest first; ASC: the earliest first. */
                order?: "DESC" | "ASC";
                /** @description false: total counts the transfers; null where more than 100,000 had to be counted. */
                disable_total?: boolean;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The number or the hash of the block. */
                block: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing of all collections that the answer covers. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description With token_addresses or contract_addresses: the lowest part of a history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description With token_addresses or contract_addresses: the lowest part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block up to which the answer covers all of these collections; missing where there is none. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description Of how many of these collections something was left out, or, where contracts are named, what of one of them; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description How many collections of the chain the answer covers. */
                    "x-index-collections": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": null,
                     *       "page": 0,
                     *       "page_size": 100,
                     *       "cursor": null,
                     *       "result": [
                     *         {
                     *           "token_id": "1",
                     *           "token_address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *           "contract_type": "ERC721",
                     *           "verified": true,
                     *           "possible_spam": false,
                     *           "from_address": "0x0000000000000000000000000000000000000000",
                     *           "to_address": "0xaba7161a7fb69c88e16ed9f455ce62b791ee4d03",
                     *           "amount": "1",
                     *           "block_number": "12287507",
                     *           "block_hash": "0x7e2ea8a9e7ae7f9e0d3b2d8b7ffb9d1a9f5e3b7f1cbb9a2fbe4e5b0a7ce0d6f4",
                     *           "block_timestamp": "2021-04-22T04:24:49.000Z",
                     *           "transaction_hash": "0x22199329b0aa1aa68902a78e3b32ca327c872fab166c7a2838273de6ad383eba",
                     *           "transaction_index": 88,
                     *           "log_index": 112,
                     *           "operator": null,
                     *           "value": null
                     *         }
                     *       ],
                     *       "status": "SYNCED"
                     *     }
                     */
                    "application/json": components["schemas"]["NftTransferPage"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing of all collections that the answer covers. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description With token_addresses or contract_addresses: the lowest part of a history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description With token_addresses or contract_addresses: the lowest part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block up to which the answer covers all of these collections; missing where there is none. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description Of how many of these collections something was left out, or, where contracts are named, what of one of them; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description How many collections of the chain the answer covers. */
                    "x-index-collections": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNFTOwners: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
                /** @description How token_id is written. */
                format?: "decimal" | "hex";
                /** @description Most records on a page. */
                limit?: number;
                /** @description false: total counts the owners, one for each token that they hold. */
                disable_total?: boolean;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description true: fills normalized_metadata. */
                normalizeMetadata?: boolean;
                /** @description true: fills media. */
                media_items?: boolean;
                /** @description Shows ownership as it was at the end of this block; metadata is that of today. Any block that is covered without a gap since the contract was made, or before that. */
                as_of_block?: string;
            };
            header?: never;
            path: {
                /** @description The contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description Hash of the block as_of_block on the chain now; missing where no block was asked for. Where it is another one than before, a reorganisation took the earlier block away. */
                    "x-as-of-block-hash"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": null,
                     *       "page": 0,
                     *       "page_size": 1,
                     *       "cursor": "GYpbgukHhFE4bc4ZMfNNqkMxZ0B2gP3u7tTAqomv4ZRb",
                     *       "result": [
                     *         {
                     *           "token_address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *           "token_id": "1",
                     *           "token_hash": "1110988e2d21ed8c8c812d32d0fdc5d2",
                     *           "owner_of": "0x46efbaedc92067e6d60e84ed6395099723252496",
                     *           "minter_address": "0xaba7161a7fb69c88e16ed9f455ce62b791ee4d03",
                     *           "block_number": "14939840",
                     *           "block_number_minted": "12287507",
                     *           "amount": "1",
                     *           "contract_type": "ERC721",
                     *           "name": "BoredApeYachtClub",
                     *           "symbol": "BAYC",
                     *           "token_uri": "ipfs://QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq/1",
                     *           "metadata": "{\"image\":\"ipfs://QmPbxeGcXhYQQNgsC6a36dDyYUcHgMLnGKnF8pVFmGsvqi\",\"attributes\":[{\"trait_type\":\"Mouth\",\"value\":\"Grin\"}]}",
                     *           "normalized_metadata": {
                     *             "name": null,
                     *             "description": null,
                     *             "image": "ipfs://QmPbxeGcXhYQQNgsC6a36dDyYUcHgMLnGKnF8pVFmGsvqi",
                     *             "external_link": null,
                     *             "external_url": null,
                     *             "animation_url": null,
                     *             "attributes": [
                     *               {
                     *                 "trait_type": "Mouth",
                     *                 "value": "Grin",
                     *                 "display_type": null,
                     *                 "max_value": null,
                     *                 "trait_count": 713,
                     *                 "order": null
                     *               }
                     *             ]
                     *           },
                     *           "media": {
                     *             "status": "success",
                     *             "original_media_url": "ipfs://QmPbxeGcXhYQQNgsC6a36dDyYUcHgMLnGKnF8pVFmGsvqi",
                     *             "mimetype": "image/png",
                     *             "category": "image",
                     *             "parent_hash": "6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e",
                     *             "updatedAt": "2026-01-31T12:00:05.000Z",
                     *             "media_collection": {
                     *               "low": {
                     *                 "width": 100,
                     *                 "height": 100,
                     *                 "url": "http://127.0.0.1:8080/media/6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e/low.webp"
                     *               },
                     *               "medium": {
                     *                 "width": 250,
                     *                 "height": 250,
                     *                 "url": "http://127.0.0.1:8080/media/6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e/medium.webp"
                     *               },
                     *               "high": {
                     *                 "width": 500,
                     *                 "height": 500,
                     *                 "url": "http://127.0.0.1:8080/media/6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e/high.webp"
                     *               }
                     *             }
                     *           },
                     *           "last_token_uri_sync": "2026-01-31T12:00:00.000Z",
                     *           "last_metadata_sync": "2026-01-31T12:00:01.000Z",
                     *           "possible_spam": false,
                     *           "verified_collection": true
                     *         }
                     *       ],
                     *       "status": "SYNCED"
                     *     }
                     */
                    "application/json": components["schemas"]["NftOwnerPage"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description Hash of the block as_of_block on the chain now; missing where no block was asked for. Where it is another one than before, a reorganisation took the earlier block away. */
                    "x-as-of-block-hash"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or the body is wrong. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description What is asked for does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNFTTokenIdOwners: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
                /** @description How token_id is written. */
                format?: "decimal" | "hex";
                /** @description Most records on a page. */
                limit?: number;
                /** @description false: total counts the owners, one for each token that they hold. */
                disable_total?: boolean;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description true: fills normalized_metadata. */
                normalizeMetadata?: boolean;
                /** @description true: fills media. */
                media_items?: boolean;
                /** @description Shows ownership as it was at the end of this block; metadata is that of today. Any block that is covered without a gap since the contract was made, or before that. */
                as_of_block?: string;
            };
            header?: never;
            path: {
                /** @description The contract. */
                address: string;
                /** @description The token, decimal or hex, whatever format says. */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description Hash of the block as_of_block on the chain now; missing where no block was asked for. Where it is another one than before, a reorganisation took the earlier block away. */
                    "x-as-of-block-hash"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": null,
                     *       "page": 0,
                     *       "page_size": 1,
                     *       "cursor": null,
                     *       "result": [
                     *         {
                     *           "token_address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *           "token_id": "1",
                     *           "token_hash": "1110988e2d21ed8c8c812d32d0fdc5d2",
                     *           "owner_of": "0x46efbaedc92067e6d60e84ed6395099723252496",
                     *           "minter_address": "0xaba7161a7fb69c88e16ed9f455ce62b791ee4d03",
                     *           "block_number": "14939840",
                     *           "block_number_minted": "12287507",
                     *           "amount": "1",
                     *           "contract_type": "ERC721",
                     *           "name": "BoredApeYachtClub",
                     *           "symbol": "BAYC",
                     *           "token_uri": "ipfs://QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq/1",
                     *           "metadata": "{\"image\":\"ipfs://QmPbxeGcXhYQQNgsC6a36dDyYUcHgMLnGKnF8pVFmGsvqi\",\"attributes\":[{\"trait_type\":\"Mouth\",\"value\":\"Grin\"}]}",
                     *           "normalized_metadata": {
                     *             "name": null,
                     *             "description": null,
                     *             "image": "ipfs://QmPbxeGcXhYQQNgsC6a36dDyYUcHgMLnGKnF8pVFmGsvqi",
                     *             "external_link": null,
                     *             "external_url": null,
                     *             "animation_url": null,
                     *             "attributes": [
                     *               {
                     *                 "trait_type": "Mouth",
                     *                 "value": "Grin",
                     *                 "display_type": null,
                     *                 "max_value": null,
                     *                 "trait_count": 713,
                     *                 "order": null
                     *               }
                     *             ]
                     *           },
                     *           "media": {
                     *             "status": "success",
                     *             "original_media_url": "ipfs://QmPbxeGcXhYQQNgsC6a36dDyYUcHgMLnGKnF8pVFmGsvqi",
                     *             "mimetype": "image/png",
                     *             "category": "image",
                     *             "parent_hash": "6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e",
                     *             "updatedAt": "2026-01-31T12:00:05.000Z",
                     *             "media_collection": {
                     *               "low": {
                     *                 "width": 100,
                     *                 "height": 100,
                     *                 "url": "http://127.0.0.1:8080/media/6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e/low.webp"
                     *               },
                     *               "medium": {
                     *                 "width": 250,
                     *                 "height": 250,
                     *                 "url": "http://127.0.0.1:8080/media/6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e/medium.webp"
                     *               },
                     *               "high": {
                     *                 "width": 500,
                     *                 "height": 500,
                     *                 "url": "http://127.0.0.1:8080/media/6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e/high.webp"
                     *               }
                     *             }
                     *           },
                     *           "last_token_uri_sync": "2026-01-31T12:00:00.000Z",
                     *           "last_metadata_sync": "2026-01-31T12:00:01.000Z",
                     *           "possible_spam": false,
                     *           "verified_collection": true
                     *         }
                     *       ],
                     *       "status": "SYNCED"
                     *     }
                     */
                    "application/json": components["schemas"]["NftOwnerPage"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description Hash of the block as_of_block on the chain now; missing where no block was asked for. Where it is another one than before, a reorganisation took the earlier block away. */
                    "x-as-of-block-hash"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A parameter or the body is wrong. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /** @description What is asked for does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNFTCollectionStats: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
            };
            header?: never;
            path: {
                /** @description The contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counters. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description Last block whose transfers owners.current takes in. */
                    "x-index-owners-to-block"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total_tokens": "9998",
                     *       "owners": {
                     *         "current": "5549"
                     *       },
                     *       "transfers": {
                     *         "total": "169204"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["NftCollectionStats"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description Last block whose transfers owners.current takes in. */
                    "x-index-owners-to-block"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description What is asked for does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNFTTokenStats: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
            };
            header?: never;
            path: {
                /** @description The contract. */
                address: string;
                /** @description The token, decimal or hex. */
                token_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counters. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total_tokens": "1",
                     *       "owners": {
                     *         "current": "1"
                     *       },
                     *       "transfers": {
                     *         "total": "4"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["NftTokenStats"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            /** @description What is asked for does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description State of the indexing. */
                    "x-index-status"?: "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description Part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description What was left out of the collection and why; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWalletNFTs: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
                /** @description How token_id is written. */
                format?: "decimal" | "hex";
                /** @description Most records on a page. */
                limit?: number;
                /** @description false: total counts the tokens of the wallet. */
                disable_total?: boolean;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description true: fills normalized_metadata. */
                normalizeMetadata?: boolean;
                /** @description true: fills media. */
                media_items?: boolean;
                /** @description true: leaves out collections that count as spam. */
                exclude_spam?: boolean;
                /** @description Contracts whose tokens alone are wanted; those that are not indexed yet are indexed from now on. At most 100. */
                token_addresses?: string[];
            };
            header?: never;
            path: {
                /** @description The wallet: any address but the zero address, which holds nothing. */
                wallet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing of all collections that the answer covers. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description With token_addresses or contract_addresses: the lowest part of a history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description With token_addresses or contract_addresses: the lowest part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block up to which the answer covers all of these collections; missing where there is none. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description Of how many of these collections something was left out, or, where contracts are named, what of one of them; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description How many collections of the chain the answer covers. */
                    "x-index-collections": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": null,
                     *       "page": 0,
                     *       "page_size": 1,
                     *       "cursor": "GYpbgukHhFE4bc4ZMfNNqkMxZ0B2gP3u7tTAqomv4ZRb",
                     *       "result": [
                     *         {
                     *           "token_address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *           "token_id": "1",
                     *           "token_hash": "1110988e2d21ed8c8c812d32d0fdc5d2",
                     *           "owner_of": "0x46efbaedc92067e6d60e84ed6395099723252496",
                     *           "minter_address": "0xaba7161a7fb69c88e16ed9f455ce62b791ee4d03",
                     *           "block_number": "14939840",
                     *           "block_number_minted": "12287507",
                     *           "amount": "1",
                     *           "contract_type": "ERC721",
                     *           "name": "BoredApeYachtClub",
                     *           "symbol": "BAYC",
                     *           "token_uri": "ipfs://QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq/1",
                     *           "metadata": "{\"image\":\"ipfs://QmPbxeGcXhYQQNgsC6a36dDyYUcHgMLnGKnF8pVFmGsvqi\",\"attributes\":[{\"trait_type\":\"Mouth\",\"value\":\"Grin\"}]}",
                     *           "normalized_metadata": {
                     *             "name": null,
                     *             "description": null,
                     *             "image": "ipfs://QmPbxeGcXhYQQNgsC6a36dDyYUcHgMLnGKnF8pVFmGsvqi",
                     *             "external_link": null,
                     *             "external_url": null,
                     *             "animation_url": null,
                     *             "attributes": [
                     *               {
                     *                 "trait_type": "Mouth",
                     *                 "value": "Grin",
                     *                 "display_type": null,
                     *                 "max_value": null,
                     *                 "trait_count": 713,
                     *                 "order": null
                     *               }
                     *             ]
                     *           },
                     *           "media": {
                     *             "status": "success",
                     *             "original_media_url": "ipfs://QmPbxeGcXhYQQNgsC6a36dDyYUcHgMLnGKnF8pVFmGsvqi",
                     *             "mimetype": "image/png",
                     *             "category": "image",
                     *             "parent_hash": "6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e",
                     *             "updatedAt": "2026-01-31T12:00:05.000Z",
                     *             "media_collection": {
                     *               "low": {
                     *                 "width": 100,
                     *                 "height": 100,
                     *                 "url": "http://127.0.0.1:8080/media/6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e/low.webp"
                     *               },
                     *               "medium": {
                     *                 "width": 250,
                     *                 "height": 250,
                     *                 "url": "http://127.0.0.1:8080/media/6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e/medium.webp"
                     *               },
                     *               "high": {
                     *                 "width": 500,
                     *                 "height": 500,
                     *                 "url": "http://127.0.0.1:8080/media/6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e/high.webp"
                     *               }
                     *             }
                     *           },
                     *           "last_token_uri_sync": "2026-01-31T12:00:00.000Z",
                     *           "last_metadata_sync": "2026-01-31T12:00:01.000Z",
                     *           "possible_spam": false,
                     *           "verified_collection": true
                     *         }
                     *       ],
                     *       "status": "SYNCED"
                     *     }
                     */
                    "application/json": {
                        /** @description Tokens of the wallet; null unless disable_total is false. */
                        total: number | null;
                        /** @description Number of the page, the first one being 0. */
                        page: number;
                        /** @description Most records on a page. */
                        page_size: number;
                        /** @description Gives the next page; null on the last one. */
                        cursor: string | null;
                        /** @description The records: owner_of is the wallet, and amount is what the wallet has of the token. */
                        result: components["schemas"]["Nft"][];
                        /**
                         * @description SYNCED: every collection that the answer covers is indexed up to the head last seen.
                         * @enum {string}
                         */
                        status: "SYNCED" | "SYNCING";
                    };
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing of all collections that the answer covers. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description With token_addresses or contract_addresses: the lowest part of a history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description With token_addresses or contract_addresses: the lowest part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block up to which the answer covers all of these collections; missing where there is none. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description Of how many of these collections something was left out, or, where contracts are named, what of one of them; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description How many collections of the chain the answer covers. */
                    "x-index-collections": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWalletNFTCollections: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
                /** @description Most collections on a page. */
                limit?: number;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description true: leaves out collections that count as spam. */
                exclude_spam?: boolean;
                /** @description true: tells how many tokens the wallet holds. */
                token_counts?: boolean;
                /** @description false: total counts the collections of the wallet. */
                disable_total?: boolean;
            };
            header?: never;
            path: {
                /** @description The wallet: any address but the zero address, which holds nothing. */
                wallet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing of all collections that the answer covers. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description With token_addresses or contract_addresses: the lowest part of a history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description With token_addresses or contract_addresses: the lowest part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block up to which the answer covers all of these collections; missing where there is none. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description Of how many of these collections something was left out, or, where contracts are named, what of one of them; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description How many collections of the chain the answer covers. */
                    "x-index-collections": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": null,
                     *       "page": 0,
                     *       "page_size": 100,
                     *       "cursor": null,
                     *       "result": [
                     *         {
                     *           "token_address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *           "contract_type": "ERC721",
                     *           "name": "BoredApeYachtClub",
                     *           "symbol": "BAYC",
                     *           "possible_spam": false,
                     *           "verified_collection": true,
                     *           "count": 3
                     *         }
                     *       ],
                     *       "status": "SYNCED"
                     *     }
                     */
                    "application/json": {
                        /** @description Collections of the wallet; null unless disable_total is false. */
                        total: number | null;
                        /** @description Number of the page, the first one being 0. */
                        page: number;
                        /** @description Most collections on a page. */
                        page_size: number;
                        /** @description Gives the next page; null on the last one. */
                        cursor: string | null;
                        /** @description The collections, the one last indexed first. */
                        result: components["schemas"]["WalletCollection"][];
                        /**
                         * @description SYNCED: every collection that the answer covers is indexed up to the head last seen.
                         * @enum {string}
                         */
                        status: "SYNCED" | "SYNCING";
                    };
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing of all collections that the answer covers. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description With token_addresses or contract_addresses: the lowest part of a history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description With token_addresses or contract_addresses: the lowest part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block up to which the answer covers all of these collections; missing where there is none. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description Of how many of these collections something was left out, or, where contracts are named, what of one of them; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description How many collections of the chain the answer covers. */
                    "x-index-collections": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWalletNFTTransfers: {
        parameters: {
            query?: {
                /** @description The chain, by name or hex id in any case: eth 0x1, goerli 0x5, sepolia 0xaa36a7, polygon 0x89, mumbai 0x13881, bsc 0x38, bsc testnet 0x61, avalanche 0xa86a, fantom 0xfa, palm 0x2a15c308d, cronos 0x19, arbitrum 0xa4b1. */
                chain?: string;
                /** @description How token_id is written. */
                format?: "decimal" | "hex";
                /** @description Most transfers on a page. */
                limit?: number;
                /** @description DESC: the latest first; ASC: the earliest first. */
                order?: "DESC" | "ASC";
                /** @description false: total counts the transfers; null where more than 100,000 had to be counted. */
                disable_total?: boolean;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description The first block. Where from_date is given too, this holds. */
                from_block?: number;
                /** @description The last block. Where to_date is given too, this holds. */
                to_block?: number;
                /** @description Only blocks that are not before this moment. ISO 8601 (UTC where it names no zone), RFC 5322, or seconds since 1970 (milliseconds with twelve digits and more). */
                from_date?: string;
                /** @description Only blocks that are not after this moment. ISO 8601 (UTC where it names no zone), RFC 5322, or seconds since 1970 (milliseconds with twelve digits and more). */
                to_date?: string;
                /** @description Contracts whose transfers alone are wanted; those that are not indexed yet are indexed from now on. At most 100. */
                contract_addresses?: string[];
            };
            header?: never;
            path: {
                /** @description The wallet: any address but the zero address, which holds nothing. */
                wallet: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing of all collections that the answer covers. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description With token_addresses or contract_addresses: the lowest part of a history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description With token_addresses or contract_addresses: the lowest part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block up to which the answer covers all of these collections; missing where there is none. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description Of how many of these collections something was left out, or, where contracts are named, what of one of them; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description How many collections of the chain the answer covers. */
                    "x-index-collections": string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "total": null,
                     *       "page": 0,
                     *       "page_size": 100,
                     *       "cursor": null,
                     *       "result": [
                     *         {
                     *           "token_id": "1",
                     *           "token_address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *           "contract_type": "ERC721",
                     *           "verified": true,
                     *           "possible_spam": false,
                     *           "from_address": "0x0000000000000000000000000000000000000000",
                     *           "to_address": "0xaba7161a7fb69c88e16ed9f455ce62b791ee4d03",
                     *           "amount": "1",
                     *           "block_number": "12287507",
                     *           "block_hash": "0x7e2ea8a9e7ae7f9e0d3b2d8b7ffb9d1a9f5e3b7f1cbb9a2fbe4e5b0a7ce0d6f4",
                     *           "block_timestamp": "2021-04-22T04:24:49.000Z",
                     *           "transaction_hash": "0x22199329b0aa1aa68902a78e3b32ca327c872fab166c7a2838273de6ad383eba",
                     *           "transaction_index": 88,
                     *           "log_index": 112,
                     *           "operator": null,
                     *           "value": null
                     *         }
                     *       ],
                     *       "status": "SYNCED"
                     *     }
                     */
                    "application/json": components["schemas"]["NftTransferPage"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    /** @description State of the indexing of all collections that the answer covers. */
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description With token_addresses or contract_addresses: the lowest part of a history that is covered, from 0 to 1. */
                    "x-index-progress"?: string;
                    /** @description With token_addresses or contract_addresses: the lowest part of the metadata that is read, from 0 to 1. */
                    "x-index-metadata-progress"?: string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block up to which the answer covers all of these collections; missing where there is none. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks from x-index-to-block to x-index-head-block. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed, or why the collection is not synced. */
                    "x-index-failure"?: string;
                    /** @description Of how many of these collections something was left out, or, where contracts are named, what of one of them; missing where nothing was. */
                    "x-index-incomplete"?: string;
                    /** @description How many collections of the chain the answer covers. */
                    "x-index-collections": string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getChains: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The chains. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "name": "eth",
                     *           "id": "0x1",
                     *           "aliases": [
                     *             "mainnet",
                     *             "ethereum"
                     *           ],
                     *           "configured": true,
                     *           "head": "14939840",
                     *           "status": "following"
                     *         },
                     *         {
                     *           "name": "optimism",
                     *           "id": "0xa",
                     *           "aliases": [
                     *             "op mainnet",
                     *             "op-mainnet"
                     *           ],
                     *           "configured": true,
                     *           "head": null,
                     *           "status": "idle"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description All of them: first those that every server knows, then those of the configuration. */
                        result: components["schemas"]["Chain"][];
                    };
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLatestCoins: {
        parameters: {
            query: {
                /** @description Most coins on a page. */
                limit: number;
                /** @description Coins left out before the first page. */
                offset?: number;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description The standard of the coins. v1: `0x1::coin`, the only one that is served. */
                standard?: "v1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    /** @description State of reading the chain. */
                    "x-index-status": "unconfigured" | "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the chain that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description First version that is read. */
                    "x-index-from-version"?: string;
                    /** @description Last version covered without a gap; newer coins are not shown yet. */
                    "x-index-to-version"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-version"?: string;
                    /** @description Versions from x-index-to-version to x-index-head-version. */
                    "x-index-lag-versions"?: string;
                    /** @description Whole seconds since a source last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Coins that came from a file and that the chain has not confirmed yet. */
                    "x-index-imported"?: string;
                    /** @description Why the chain cannot be read at the moment, or why its head is in doubt. */
                    "x-index-failure"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cursor": null,
                     *       "hasNextPage": false,
                     *       "result": [
                     *         {
                     *           "coin_type": "0x1::aptos_coin::AptosCoin",
                     *           "coin_type_hash": "91ceb1308a98389691e05158b07ed5f079ab78461a6bb8d5a4054b1bb5cb8bb6",
                     *           "creator_address": "0x0000000000000000000000000000000000000000000000000000000000000001",
                     *           "decimals": 8,
                     *           "name": "Aptos Coin",
                     *           "supply_aggregator_table_handle": "0x1b854694ae746cdbd8d44186ca4929b2b337df21d1c74633be19b2710552fdca",
                     *           "supply_aggregator_table_key": "0x619dc29a0aac8fa146714058e8dd6d2d0f3bdf5f6331907bf91f3acd81e6935",
                     *           "symbol": "APT",
                     *           "transaction_created_timestamp": "1970-01-01T00:00:00.000000Z",
                     *           "transaction_version_created": "0"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CoinPage"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    /** @description State of reading the chain. */
                    "x-index-status": "unconfigured" | "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the chain that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description First version that is read. */
                    "x-index-from-version"?: string;
                    /** @description Last version covered without a gap; newer coins are not shown yet. */
                    "x-index-to-version"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-version"?: string;
                    /** @description Versions from x-index-to-version to x-index-head-version. */
                    "x-index-lag-versions"?: string;
                    /** @description Whole seconds since a source last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Coins that came from a file and that the chain has not confirmed yet. */
                    "x-index-imported"?: string;
                    /** @description Why the chain cannot be read at the moment, or why its head is in doubt. */
                    "x-index-failure"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCoinsByHashes: {
        parameters: {
            query: {
                /** @description 1 to 25 coin type hashes. */
                coin_type_hashes: string[];
                /** @description The standard of the coins. v1: `0x1::coin`, the only one that is served. */
                standard?: "v1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The coins. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    /** @description State of reading the chain. */
                    "x-index-status": "unconfigured" | "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the chain that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description First version that is read. */
                    "x-index-from-version"?: string;
                    /** @description Last version covered without a gap; newer coins are not shown yet. */
                    "x-index-to-version"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-version"?: string;
                    /** @description Versions from x-index-to-version to x-index-head-version. */
                    "x-index-lag-versions"?: string;
                    /** @description Whole seconds since a source last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Coins that came from a file and that the chain has not confirmed yet. */
                    "x-index-imported"?: string;
                    /** @description Why the chain cannot be read at the moment, or why its head is in doubt. */
                    "x-index-failure"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "coin_type": "0x1::aptos_coin::AptosCoin",
                     *         "coin_type_hash": "91ceb1308a98389691e05158b07ed5f079ab78461a6bb8d5a4054b1bb5cb8bb6",
                     *         "creator_address": "0x0000000000000000000000000000000000000000000000000000000000000001",
                     *         "decimals": 8,
                     *         "name": "Aptos Coin",
                     *         "supply_aggregator_table_handle": "0x1b854694ae746cdbd8d44186ca4929b2b337df21d1c74633be19b2710552fdca",
                     *         "supply_aggregator_table_key": "0x619dc29a0aac8fa146714058e8dd6d2d0f3bdf5f6331907bf91f3acd81e6935",
                     *         "symbol": "APT",
                     *         "transaction_created_timestamp": "1970-01-01T00:00:00.000000Z",
                     *         "transaction_version_created": "0"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Coin"][];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    /** @description State of reading the chain. */
                    "x-index-status": "unconfigured" | "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the chain that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description First version that is read. */
                    "x-index-from-version"?: string;
                    /** @description Last version covered without a gap; newer coins are not shown yet. */
                    "x-index-to-version"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-version"?: string;
                    /** @description Versions from x-index-to-version to x-index-head-version. */
                    "x-index-lag-versions"?: string;
                    /** @description Whole seconds since a source last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Coins that came from a file and that the chain has not confirmed yet. */
                    "x-index-imported"?: string;
                    /** @description Why the chain cannot be read at the moment, or why its head is in doubt. */
                    "x-index-failure"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLatestCoinsOfNetwork: {
        parameters: {
            query: {
                /** @description Most coins on a page. */
                limit: number;
                /** @description Coins left out before the first page. */
                offset?: number;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description The standard of the coins. v1: `0x1::coin`, the only one that is served. */
                standard?: "v1";
            };
            header?: never;
            path: {
                /** @description The network, as the configuration calls it. */
                network: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    /** @description State of reading the chain. */
                    "x-index-status": "unconfigured" | "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the chain that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description First version that is read. */
                    "x-index-from-version"?: string;
                    /** @description Last version covered without a gap; newer coins are not shown yet. */
                    "x-index-to-version"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-version"?: string;
                    /** @description Versions from x-index-to-version to x-index-head-version. */
                    "x-index-lag-versions"?: string;
                    /** @description Whole seconds since a source last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Coins that came from a file and that the chain has not confirmed yet. */
                    "x-index-imported"?: string;
                    /** @description Why the chain cannot be read at the moment, or why its head is in doubt. */
                    "x-index-failure"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "cursor": null,
                     *       "hasNextPage": false,
                     *       "result": [
                     *         {
                     *           "coin_type": "0x1::aptos_coin::AptosCoin",
                     *           "coin_type_hash": "91ceb1308a98389691e05158b07ed5f079ab78461a6bb8d5a4054b1bb5cb8bb6",
                     *           "creator_address": "0x0000000000000000000000000000000000000000000000000000000000000001",
                     *           "decimals": 8,
                     *           "name": "Aptos Coin",
                     *           "supply_aggregator_table_handle": "0x1b854694ae746cdbd8d44186ca4929b2b337df21d1c74633be19b2710552fdca",
                     *           "supply_aggregator_table_key": "0x619dc29a0aac8fa146714058e8dd6d2d0f3bdf5f6331907bf91f3acd81e6935",
                     *           "symbol": "APT",
                     *           "transaction_created_timestamp": "1970-01-01T00:00:00.000000Z",
                     *           "transaction_version_created": "0"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CoinPage"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    /** @description State of reading the chain. */
                    "x-index-status": "unconfigured" | "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the chain that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description First version that is read. */
                    "x-index-from-version"?: string;
                    /** @description Last version covered without a gap; newer coins are not shown yet. */
                    "x-index-to-version"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-version"?: string;
                    /** @description Versions from x-index-to-version to x-index-head-version. */
                    "x-index-lag-versions"?: string;
                    /** @description Whole seconds since a source last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Coins that came from a file and that the chain has not confirmed yet. */
                    "x-index-imported"?: string;
                    /** @description Why the chain cannot be read at the moment, or why its head is in doubt. */
                    "x-index-failure"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCoinsByHashesOfNetwork: {
        parameters: {
            query: {
                /** @description 1 to 25 coin type hashes. */
                coin_type_hashes: string[];
                /** @description The standard of the coins. v1: `0x1::coin`, the only one that is served. */
                standard?: "v1";
            };
            header?: never;
            path: {
                /** @description The network, as the configuration calls it. */
                network: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The coins. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    /** @description State of reading the chain. */
                    "x-index-status": "unconfigured" | "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the chain that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description First version that is read. */
                    "x-index-from-version"?: string;
                    /** @description Last version covered without a gap; newer coins are not shown yet. */
                    "x-index-to-version"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-version"?: string;
                    /** @description Versions from x-index-to-version to x-index-head-version. */
                    "x-index-lag-versions"?: string;
                    /** @description Whole seconds since a source last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Coins that came from a file and that the chain has not confirmed yet. */
                    "x-index-imported"?: string;
                    /** @description Why the chain cannot be read at the moment, or why its head is in doubt. */
                    "x-index-failure"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "coin_type": "0x1::aptos_coin::AptosCoin",
                     *         "coin_type_hash": "91ceb1308a98389691e05158b07ed5f079ab78461a6bb8d5a4054b1bb5cb8bb6",
                     *         "creator_address": "0x0000000000000000000000000000000000000000000000000000000000000001",
                     *         "decimals": 8,
                     *         "name": "Aptos Coin",
                     *         "supply_aggregator_table_handle": "0x1b854694ae746cdbd8d44186ca4929b2b337df21d1c74633be19b2710552fdca",
                     *         "supply_aggregator_table_key": "0x619dc29a0aac8fa146714058e8dd6d2d0f3bdf5f6331907bf91f3acd81e6935",
                     *         "symbol": "APT",
                     *         "transaction_created_timestamp": "1970-01-01T00:00:00.000000Z",
                     *         "transaction_version_created": "0"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Coin"][];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    /** @description State of reading the chain. */
                    "x-index-status": "unconfigured" | "queued" | "syncing" | "synced" | "failed";
                    /** @description Part of the chain that is covered, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description First version that is read. */
                    "x-index-from-version"?: string;
                    /** @description Last version covered without a gap; newer coins are not shown yet. */
                    "x-index-to-version"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-version"?: string;
                    /** @description Versions from x-index-to-version to x-index-head-version. */
                    "x-index-lag-versions"?: string;
                    /** @description Whole seconds since a source last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Coins that came from a file and that the chain has not confirmed yet. */
                    "x-index-imported"?: string;
                    /** @description Why the chain cannot be read at the moment, or why its head is in doubt. */
                    "x-index-failure"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listStreams: {
        parameters: {
            query?: {
                /** @description Records on a page. */
                limit?: number;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page, in the order in which they were made. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": "7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f",
                     *           "webhookUrl": "https://shop.example/hooks",
                     *           "description": "transfers of the shop",
                     *           "tag": "shop",
                     *           "chainIds": [
                     *             "0x1"
                     *           ],
                     *           "topic0": [
                     *             "Transfer(address,address,uint256)"
                     *           ],
                     *           "allAddresses": false,
                     *           "includeNativeTxs": false,
                     *           "includeContractLogs": true,
                     *           "includeInternalTxs": false,
                     *           "includeAllTxLogs": false,
                     *           "abi": [],
                     *           "advancedOptions": [],
                     *           "getNativeBalances": [],
                     *           "demo": false,
                     *           "confirmedOnly": false,
                     *           "status": "active",
                     *           "statusMessage": "",
                     *           "webhookSecret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                     *           "headers": {
                     *             "Authorization": null
                     *           },
                     *           "delivery": "ordered",
                     *           "gzip": false,
                     *           "amountOfAddresses": 1,
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "updatedAt": "2026-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "cursor": null,
                     *       "page": 0,
                     *       "page_size": 100
                     *     }
                     */
                    "application/json": {
                        /** @description The items of the page. */
                        result: components["schemas"]["Stream"][];
                        /** @description How many items the list has. */
                        total: number;
                        /** @description Gives the next page; null on the last one. */
                        cursor: string | null;
                        /** @description Number of the page, the first one being 0. */
                        page: number;
                        /** @description Most items on a page. */
                        page_size: number;
                    };
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createStream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateStream"];
            };
        };
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f",
                     *       "webhookUrl": "https://shop.example/hooks",
                     *       "description": "transfers of the shop",
                     *       "tag": "shop",
                     *       "chainIds": [
                     *         "0x1"
                     *       ],
                     *       "topic0": [
                     *         "Transfer(address,address,uint256)"
                     *       ],
                     *       "allAddresses": false,
                     *       "includeNativeTxs": false,
                     *       "includeContractLogs": true,
                     *       "includeInternalTxs": false,
                     *       "includeAllTxLogs": false,
                     *       "abi": [],
                     *       "advancedOptions": [],
                     *       "getNativeBalances": [],
                     *       "demo": false,
                     *       "confirmedOnly": false,
                     *       "status": "active",
                     *       "statusMessage": "",
                     *       "webhookSecret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                     *       "headers": {
                     *         "Authorization": null
                     *       },
                     *       "delivery": "ordered",
                     *       "gzip": false,
                     *       "amountOfAddresses": 1,
                     *       "createdAt": "2026-01-31T12:00:00.000Z",
                     *       "updatedAt": "2026-01-31T12:00:00.000Z",
                     *       "effectiveBlocks": {
                     *         "0x1": "24350001"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ChangedStream"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStream: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The stream. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f",
                     *       "webhookUrl": "https://shop.example/hooks",
                     *       "description": "transfers of the shop",
                     *       "tag": "shop",
                     *       "chainIds": [
                     *         "0x1"
                     *       ],
                     *       "topic0": [
                     *         "Transfer(address,address,uint256)"
                     *       ],
                     *       "allAddresses": false,
                     *       "includeNativeTxs": false,
                     *       "includeContractLogs": true,
                     *       "includeInternalTxs": false,
                     *       "includeAllTxLogs": false,
                     *       "abi": [],
                     *       "advancedOptions": [],
                     *       "getNativeBalances": [],
                     *       "demo": false,
                     *       "confirmedOnly": false,
                     *       "status": "active",
                     *       "statusMessage": "",
                     *       "webhookSecret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                     *       "headers": {
                     *         "Authorization": null
                     *       },
                     *       "delivery": "ordered",
                     *       "gzip": false,
                     *       "amountOfAddresses": 1,
                     *       "createdAt": "2026-01-31T12:00:00.000Z",
                     *       "updatedAt": "2026-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Stream"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateStream: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The stream. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateStream"];
            };
        };
        responses: {
            /** @description The stream as it is now. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f",
                     *       "webhookUrl": "https://shop.example/hooks",
                     *       "description": "transfers of the shop",
                     *       "tag": "shop",
                     *       "chainIds": [
                     *         "0x1"
                     *       ],
                     *       "topic0": [
                     *         "Transfer(address,address,uint256)"
                     *       ],
                     *       "allAddresses": false,
                     *       "includeNativeTxs": false,
                     *       "includeContractLogs": true,
                     *       "includeInternalTxs": false,
                     *       "includeAllTxLogs": false,
                     *       "abi": [],
                     *       "advancedOptions": [],
                     *       "getNativeBalances": [],
                     *       "demo": false,
                     *       "confirmedOnly": false,
                     *       "status": "active",
                     *       "statusMessage": "",
                     *       "webhookSecret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                     *       "headers": {
                     *         "Authorization": null
                     *       },
                     *       "delivery": "ordered",
                     *       "gzip": false,
                     *       "amountOfAddresses": 1,
                     *       "createdAt": "2026-01-31T12:00:00.000Z",
                     *       "updatedAt": "2026-01-31T12:00:00.000Z",
                     *       "effectiveBlocks": {
                     *         "0x1": "24350001"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ChangedStream"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteStream: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The stream. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream as it was. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f",
                     *       "webhookUrl": "https://shop.example/hooks",
                     *       "description": "transfers of the shop",
                     *       "tag": "shop",
                     *       "chainIds": [
                     *         "0x1"
                     *       ],
                     *       "topic0": [
                     *         "Transfer(address,address,uint256)"
                     *       ],
                     *       "allAddresses": false,
                     *       "includeNativeTxs": false,
                     *       "includeContractLogs": true,
                     *       "includeInternalTxs": false,
                     *       "includeAllTxLogs": false,
                     *       "abi": [],
                     *       "advancedOptions": [],
                     *       "getNativeBalances": [],
                     *       "demo": false,
                     *       "confirmedOnly": false,
                     *       "status": "active",
                     *       "statusMessage": "",
                     *       "webhookSecret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                     *       "headers": {
                     *         "Authorization": null
                     *       },
                     *       "delivery": "ordered",
                     *       "gzip": false,
                     *       "amountOfAddresses": 1,
                     *       "createdAt": "2026-01-31T12:00:00.000Z",
                     *       "updatedAt": "2026-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Stream"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setStreamStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The stream. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StreamStatus"];
            };
        };
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f",
                     *       "webhookUrl": "https://shop.example/hooks",
                     *       "description": "transfers of the shop",
                     *       "tag": "shop",
                     *       "chainIds": [
                     *         "0x1"
                     *       ],
                     *       "topic0": [
                     *         "Transfer(address,address,uint256)"
                     *       ],
                     *       "allAddresses": false,
                     *       "includeNativeTxs": false,
                     *       "includeContractLogs": true,
                     *       "includeInternalTxs": false,
                     *       "includeAllTxLogs": false,
                     *       "abi": [],
                     *       "advancedOptions": [],
                     *       "getNativeBalances": [],
                     *       "demo": false,
                     *       "confirmedOnly": false,
                     *       "status": "active",
                     *       "statusMessage": "",
                     *       "webhookSecret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                     *       "headers": {
                     *         "Authorization": null
                     *       },
                     *       "delivery": "ordered",
                     *       "gzip": false,
                     *       "amountOfAddresses": 1,
                     *       "createdAt": "2026-01-31T12:00:00.000Z",
                     *       "updatedAt": "2026-01-31T12:00:00.000Z",
                     *       "effectiveBlocks": {
                     *         "0x1": "24350001"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ChangedStream"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listStreamAddresses: {
        parameters: {
            query?: {
                /** @description Records on a page. */
                limit?: number;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The stream. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "cursor": null,
                     *       "page": 0,
                     *       "page_size": 100
                     *     }
                     */
                    "application/json": {
                        /** @description The items of the page. */
                        result: {
                            /** @description An address that the stream watches. */
                            address: string;
                        }[];
                        /** @description How many items the list has. */
                        total: number;
                        /** @description Gives the next page; null on the last one. */
                        cursor: string | null;
                        /** @description Number of the page, the first one being 0. */
                        page: number;
                        /** @description Most items on a page. */
                        page_size: number;
                    };
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addStreamAddresses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The stream. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One address or several. */
                    address: string | string[];
                    /** @description First block of the history of these addresses, by the chain id in hex; sent is what earlier webhooks of the stream do not hold. */
                    fromBlocks?: {
                        [key: string]: string;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Addresses that are new are watched from effectiveBlocks on. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "streamId": "7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f",
                     *       "address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *       "effectiveBlocks": {
                     *         "0x1": "24350001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description The stream.
                         */
                        streamId: string;
                        /** @description The addresses as they were given. */
                        address: string | string[];
                        /** @description First block for which the change holds, by the chain id in hex. */
                        effectiveBlocks: {
                            [key: string]: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeStreamAddresses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The stream. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One address or several. */
                    address: string | string[];
                };
            };
        };
        responses: {
            /** @description The addresses are not watched from effectiveBlocks on. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "streamId": "7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f",
                     *       "address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *       "effectiveBlocks": {
                     *         "0x1": "24350001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description The stream.
                         */
                        streamId: string;
                        /** @description The addresses as they were given. */
                        address: string | string[];
                        /** @description First block for which the change holds, by the chain id in hex. */
                        effectiveBlocks: {
                            [key: string]: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statistics. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "totalWebhooksDelivered": 24,
                     *       "totalWebhooksFailed": 1,
                     *       "totalLogsProcessed": 37,
                     *       "totalTxsProcessed": 0,
                     *       "totalTxsInternalProcessed": 0,
                     *       "streams": [
                     *         {
                     *           "totalWebhooksDelivered": 24,
                     *           "totalWebhooksFailed": 1,
                     *           "totalLogsProcessed": 37,
                     *           "totalTxsProcessed": 0,
                     *           "totalTxsInternalProcessed": 0,
                     *           "streamId": "7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f"
                     *         }
                     *       ],
                     *       "createdAt": "2026-01-31T12:00:00.000Z",
                     *       "updatedAt": "2026-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StreamStats"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStatsById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The stream. */
                streamId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statistics. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "totalWebhooksDelivered": 24,
                     *       "totalWebhooksFailed": 1,
                     *       "totalLogsProcessed": 37,
                     *       "totalTxsProcessed": 0,
                     *       "totalTxsInternalProcessed": 0,
                     *       "streams": [
                     *         {
                     *           "totalWebhooksDelivered": 24,
                     *           "totalWebhooksFailed": 1,
                     *           "totalLogsProcessed": 37,
                     *           "totalTxsProcessed": 0,
                     *           "totalTxsInternalProcessed": 0,
                     *           "streamId": "7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f"
                     *         }
                     *       ],
                     *       "createdAt": "2026-01-31T12:00:00.000Z",
                     *       "updatedAt": "2026-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["StreamStats"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStatsHistory: {
        parameters: {
            query?: {
                /** @description Start of the time; 60 steps before its end where this is left out. */
                from?: string;
                /** @description End of the time, exclusive; the end of the step that runs where this is left out. */
                to?: string;
                /** @description Length of a step. */
                step?: "minute" | "hour";
            };
            header?: never;
            path: {
                /** @description The stream. */
                streamId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counters of each step. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "streamId": "7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f",
                     *       "step": "hour",
                     *       "from": "2026-01-31T00:00:00.000Z",
                     *       "to": "2026-02-01T00:00:00.000Z",
                     *       "result": [
                     *         {
                     *           "at": "2026-01-31T12:00:00.000Z",
                     *           "totalWebhooksDelivered": 24,
                     *           "totalWebhooksFailed": 1,
                     *           "totalLogsProcessed": 37,
                     *           "totalTxsProcessed": 0,
                     *           "totalTxsInternalProcessed": 0,
                     *           "attempts": 25,
                     *           "averageLatencyMs": 41.7,
                     *           "slowestLatencyMs": 380.2
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description The stream.
                         */
                        streamId: string;
                        /**
                         * @description Length of a step.
                         * @enum {string}
                         */
                        step: "minute" | "hour";
                        /**
                         * Format: date-time
                         * @description Start of the time.
                         */
                        from: string;
                        /**
                         * Format: date-time
                         * @description End of the time, exclusive.
                         */
                        to: string;
                        /** @description The steps in which something was counted, the oldest first. */
                        result: {
                            /**
                             * Format: date-time
                             * @description Start of the step.
                             */
                            at: string;
                            /** @description Webhooks that got a 2xx, once each. */
                            totalWebhooksDelivered: number;
                            /** @description Attempts that got no 2xx. */
                            totalWebhooksFailed: number;
                            /** @description Logs in confirmed webhooks. */
                            totalLogsProcessed: number;
                            /** @description Transactions in confirmed webhooks. */
                            totalTxsProcessed: number;
                            /** @description Internal transactions in confirmed webhooks. */
                            totalTxsInternalProcessed: number;
                            /** @description Attempts, also replays of what was delivered before. */
                            attempts: number;
                            /** @description How long an attempt took on average, in milliseconds; null: none was made. */
                            averageLatencyMs: number | null;
                            /** @description How long the slowest attempt took, in milliseconds; null: none was made. */
                            slowestLatencyMs: number | null;
                        }[];
                    };
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHistory: {
        parameters: {
            query?: {
                /** @description Most items on a page. */
                limit?: number;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description Only of this stream. */
                streamId?: string;
                /** @description Only of this webhook, by its webhook-id; together with streamId. */
                webhookId?: string;
                /** @description true: without payload. */
                excludePayload?: boolean;
                /** @description Only webhooks in this status. */
                status?: "pending" | "delivered" | "failed" | "dropped";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": "0c944061-8bed-5ece-83ff-be350eb27b9c",
                     *           "date": "2026-01-31T12:00:00.000Z",
                     *           "tinyPayload": {
                     *             "chainId": "0x1",
                     *             "confirmed": true,
                     *             "block": "24350001",
                     *             "records": 2,
                     *             "retries": 0
                     *           },
                     *           "errorMessage": "",
                     *           "webhookUrl": "https://shop.example/hooks",
                     *           "streamId": "7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f",
                     *           "tag": "shop",
                     *           "status": "delivered",
                     *           "kind": "confirmed"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "cursor": null,
                     *       "page": 0,
                     *       "page_size": 100
                     *     }
                     */
                    "application/json": {
                        /** @description The items of the page. */
                        result: components["schemas"]["HistoryItem"][];
                        /** @description How many items the list has. */
                        total: number;
                        /** @description Gives the next page; null on the last one. */
                        cursor: string | null;
                        /** @description Number of the page, the first one being 0. */
                        page: number;
                        /** @description Most items on a page. */
                        page_size: number;
                    };
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLogs: {
        parameters: {
            query?: {
                /** @description Most items on a page. */
                limit?: number;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description Only of this stream. */
                streamId?: string;
                /** @description Only of this webhook, by its webhook-id; together with streamId. */
                webhookId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": "948095cf-07cc-42ae-9332-d3987b22c911",
                     *           "streamId": "7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f",
                     *           "chain": "0x1",
                     *           "webhookUrl": "https://shop.example/hooks",
                     *           "tag": "shop",
                     *           "retries": 0,
                     *           "deliveryStatus": "success",
                     *           "blockNumber": 24350001,
                     *           "errorMessage": "",
                     *           "type": "evm",
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "webhookId": "0c944061-8bed-5ece-83ff-be350eb27b9c",
                     *           "statusCode": 200,
                     *           "latencyMs": 31.5,
                     *           "response": "thanks"
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "cursor": null,
                     *       "page": 0,
                     *       "page_size": 100
                     *     }
                     */
                    "application/json": {
                        /** @description The items of the page. */
                        result: components["schemas"]["DeliveryLog"][];
                        /** @description How many items the list has. */
                        total: number;
                        /** @description Gives the next page; null on the last one. */
                        cursor: string | null;
                        /** @description Number of the page, the first one being 0. */
                        page: number;
                        /** @description Most items on a page. */
                        page_size: number;
                    };
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRangeReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The stream. */
                streamId: string;
                /** @description The replay. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How far the replay is. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "af9ab5f6-36b8-477e-9177-53e7cbdaa196",
                     *       "streamId": "7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f",
                     *       "status": "running",
                     *       "message": "",
                     *       "progress": 0.5,
                     *       "replayed": 12,
                     *       "createdAt": "2026-01-31T12:00:00.000Z",
                     *       "updatedAt": "2026-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["RangeReplay"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayHistory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The stream. */
                streamId: string;
                /** @description The webhook, by its webhook-id. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook; it is sent at once. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0c944061-8bed-5ece-83ff-be350eb27b9c",
                     *       "date": "2026-01-31T12:00:00.000Z",
                     *       "tinyPayload": {
                     *         "chainId": "0x1",
                     *         "confirmed": true,
                     *         "block": "24350001",
                     *         "records": 2,
                     *         "retries": 0
                     *       },
                     *       "errorMessage": "",
                     *       "webhookUrl": "https://shop.example/hooks",
                     *       "streamId": "7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f",
                     *       "tag": "shop",
                     *       "status": "delivered",
                     *       "kind": "confirmed"
                     *     }
                     */
                    "application/json": components["schemas"]["HistoryItem"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Gone"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replayRange: {
        parameters: {
            query?: {
                /** @description Only of this chain. */
                chain?: string;
                /** @description First block. */
                fromBlock?: string;
                /** @description Last block. */
                toBlock?: string;
                /** @description Only webhooks in this status. */
                status?: "pending" | "delivered" | "failed" | "dropped";
            };
            header?: never;
            path: {
                /** @description The stream. */
                streamId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How far the replay is. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "af9ab5f6-36b8-477e-9177-53e7cbdaa196",
                     *       "streamId": "7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f",
                     *       "status": "running",
                     *       "message": "",
                     *       "progress": 0.5,
                     *       "replayed": 12,
                     *       "createdAt": "2026-01-31T12:00:00.000Z",
                     *       "updatedAt": "2026-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["RangeReplay"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "region": "us-east-1",
                     *       "secretKey": "a long random text"
                     *     }
                     */
                    "application/json": components["schemas"]["StreamSettings"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeStreamSettings"];
            };
        };
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "region": "us-east-1",
                     *       "secretKey": "a long random text"
                     *     }
                     */
                    "application/json": components["schemas"]["StreamSettings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOperationsSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret; generated until it is set. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhookSecret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                     *     }
                     */
                    "application/json": components["schemas"]["OperationsSettings"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setOperationsSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Left out: a new one is generated. */
                    webhookSecret?: string | null;
                };
            };
        };
        responses: {
            /** @description The secret. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhookSecret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                     *     }
                     */
                    "application/json": components["schemas"]["OperationsSettings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateStreamSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The stream. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f",
                     *       "webhookSecret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                     *       "previousUntil": "2026-02-01T12:00:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description The stream.
                         */
                        id: string;
                        /** @description Key of the Standard Webhooks signature from now on, whsec_…. */
                        webhookSecret: string;
                        /**
                         * Format: date-time
                         * @description Until when the previous secret signs too.
                         */
                        previousUntil: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMediaPreview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description SHA-256 of the media that the preview was made of. */
                hash: string;
                /** @description The size: low, medium and high fit into 100, 250 and 500 pixels. */
                file: "low.webp" | "medium.webp" | "high.webp";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The preview. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description Names the preview, for If-None-Match. */
                    etag: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names the preview, for If-None-Match. */
                    etag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRoot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Name, version, and where to read on; or the page of the console. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description Of the page: names its version, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "mintmark",
                     *       "version": "1.0.0",
                     *       "docs": "/docs",
                     *       "openapi": "/openapi.json"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description Name of the program.
                         * @example mintmark
                         */
                        name: string;
                        /** @description Version of the program. */
                        version: string;
                        /** @description Path of a page to try the operations. */
                        docs: string;
                        /** @description Path of this document. */
                        openapi: string;
                    };
                    "text/html": string;
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Of the page: names its version, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is alive. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "version": "1.0.0"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description ok in every answer.
                         * @constant
                         */
                        status: "ok";
                        /** @description Version of the program. */
                        version: string;
                    };
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All of them answered. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready"
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description ready in every answer.
                         * @constant
                         */
                        status: "ready";
                        /** @description How far the read replica is behind, where pages are read from one. */
                        replica?: {
                            /** @description Seconds for which the primary has had something that the replica does not show. */
                            lagSeconds: number;
                            /** @description Bytes of the primary's log of changes that are not replayed. */
                            lagBytes: number;
                            /** @description Whether replaying was stopped by hand. */
                            isPaused: boolean;
                        };
                        /** @description How many nodes of the database's cluster do not answer, where some do not: what stands on the others is served. */
                        nodesAway?: number;
                    };
                };
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All figures. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOwnKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the key may do. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["OwnKey"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    beginSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "mms_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *       "access": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session ended. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ended": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description true.
                         * @constant
                         */
                        ended: true;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeemCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The code, which a link has behind `#code=`. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "mmo_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *       "access": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConsole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description HTML. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description Names this version of the file, for If-None-Match. */
                    etag: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the file, for If-None-Match. */
                    etag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConsoleFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Path of a view or of a file. */
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description Names this version of the file, for If-None-Match. */
                    etag: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the file, for If-None-Match. */
                    etag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCollections: {
        parameters: {
            query?: {
                /** @description Name or id of the chain, such as eth, 0x1 or 1, in any case. */
                chain?: string;
                /** @description Only collections in this status. */
                status?: "queued" | "syncing" | "live" | "none" | "nocode" | "failed";
                /** @description Only collections whose name contains this text, in any case, or whose address begins with it. */
                search?: string;
                /** @description Collections on a page. */
                limit?: number;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "chain": "eth",
                     *           "chainId": "0x1",
                     *           "address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *           "name": "Bored Ape Yacht Club",
                     *           "symbol": "BAYC",
                     *           "standard": "ERC721",
                     *           "tokens": "7204",
                     *           "status": "syncing",
                     *           "synced": false,
                     *           "progress": 0.5,
                     *           "possibleSpam": false,
                     *           "verified": true
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "cursor": null,
                     *       "page": 0,
                     *       "page_size": 100
                     *     }
                     */
                    "application/json": {
                        /** @description The items of the page. */
                        result: components["schemas"]["ListedCollection"][];
                        /** @description How many items the list has. */
                        total: number;
                        /** @description Gives the next page; null on the last one. */
                        cursor: string | null;
                        /** @description Number of the page, the first one being 0. */
                        page: number;
                        /** @description Most items on a page. */
                        page_size: number;
                    };
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchRecords: {
        parameters: {
            query: {
                /** @description What to look for: an address or its beginning, a name, a token id, address/id or chain/address/id, the type of a coin, its hash, name or symbol. */
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "collections": {
                     *         "result": [
                     *           {
                     *             "chain": "eth",
                     *             "chainId": "0x1",
                     *             "address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *             "name": "Bored Ape Yacht Club",
                     *             "status": "syncing",
                     *             "tokens": "7204"
                     *           }
                     *         ],
                     *         "more": false,
                     *         "cutShort": false
                     *       },
                     *       "tokens": {
                     *         "result": [],
                     *         "more": false,
                     *         "cutShort": false
                     *       },
                     *       "coins": {
                     *         "result": [],
                     *         "more": false,
                     *         "cutShort": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FoundRecords"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overview. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "1.4.0",
                     *       "role": "all",
                     *       "startedAt": "2026-01-31T08:00:00.000Z",
                     *       "uptimeSeconds": 14405,
                     *       "processes": [
                     *         {
                     *           "id": "6a1f7a5e-3c1d-4a52-9f0e-2b8d7c4e9f10",
                     *           "role": "all",
                     *           "version": "1.4.0",
                     *           "host": "indexer-1",
                     *           "pid": 4211,
                     *           "startedAt": "2026-01-31T08:00:00.000Z",
                     *           "heartbeatAt": "2026-01-31T12:00:00.000Z",
                     *           "answering": true
                     *         }
                     *       ],
                     *       "database": {
                     *         "bytes": 52428800,
                     *         "kinds": [
                     *           {
                     *             "kind": "tokens",
                     *             "bytes": 31457280
                     *           },
                     *           {
                     *             "kind": "metadata",
                     *             "bytes": 8388608
                     *           }
                     *         ]
                     *       },
                     *       "nodesAway": [],
                     *       "disk": {
                     *         "freeBytes": 812000000000,
                     *         "totalBytes": 1000000000000,
                     *         "faults": []
                     *       },
                     *       "backpressure": {
                     *         "active": true,
                     *         "yielded": [
                     *           {
                     *             "work": "history",
                     *             "seconds": 41.7
                     *           }
                     *         ]
                     *       },
                     *       "queue": {
                     *         "collections": {
                     *           "live": 12,
                     *           "syncing": 1
                     *         },
                     *         "streams": {
                     *           "active": 2
                     *         },
                     *         "webhooks": 3,
                     *         "metadata": {
                     *           "due": 420,
                     *           "failed": 3,
                     *           "parked": 0,
                     *           "more": false
                     *         },
                     *         "previews": {
                     *           "due": 0,
                     *           "more": false
                     *         }
                     *       },
                     *       "rates": {
                     *         "from": "2026-01-31T11:01:00.000Z",
                     *         "requests": [
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           118,
                     *           97,
                     *           4
                     *         ],
                     *         "pages": [
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           61,
                     *           55,
                     *           2
                     *         ],
                     *         "blocks": [
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           5,
                     *           5,
                     *           0
                     *         ],
                     *         "logs": [
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           2310,
                     *           2077,
                     *           0
                     *         ],
                     *         "versions": [
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0
                     *         ],
                     *         "documents": [
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           180,
                     *           211,
                     *           19
                     *         ],
                     *         "previews": [
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           12,
                     *           7,
                     *           0
                     *         ],
                     *         "webhooksDelivered": [
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           31,
                     *           28,
                     *           1
                     *         ],
                     *         "attemptsFailed": [
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           0,
                     *           1,
                     *           0
                     *         ]
                     *       },
                     *       "missing": []
                     *     }
                     */
                    "application/json": components["schemas"]["Overview"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listChains: {
        parameters: {
            query?: {
                /** @description Chains on a page. */
                limit?: number;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": "0x1",
                     *           "chain": "eth",
                     *           "block": "24350001",
                     *           "head": "24350001",
                     *           "finalized": "24349920",
                     *           "lag": 0,
                     *           "headAgeSeconds": 3,
                     *           "pausedAt": null,
                     *           "configured": true,
                     *           "wanted": true,
                     *           "held": true,
                     *           "collections": 12,
                     *           "streams": 1,
                     *           "fault": null,
                     *           "endpoints": [
                     *             {
                     *               "name": "node.example:8545",
                     *               "state": "good",
                     *               "calls": 10817,
                     *               "failed": 2,
                     *               "averageMs": 14,
                     *               "fault": null
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "cursor": null,
                     *       "page": 0,
                     *       "page_size": 100,
                     *       "role": "all"
                     *     }
                     */
                    "application/json": {
                        /** @description The items of the page. */
                        result: components["schemas"]["AdminChain"][];
                        /** @description How many items the list has. */
                        total: number;
                        /** @description Gives the next page; null on the last one. */
                        cursor: string | null;
                        /** @description Number of the page, the first one being 0. */
                        page: number;
                        /** @description Most items on a page. */
                        page_size: number;
                        /** @description Role of the process that answers. The figures of endpoints are of its own calls, not of those of other processes. */
                        role: string;
                    };
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    pauseChain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the chain, such as eth, 0x1 or 1, in any case. */
                chain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The chain. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0x1",
                     *       "chain": "eth",
                     *       "block": "24350001",
                     *       "head": "24350001",
                     *       "finalized": "24349920",
                     *       "lag": 0,
                     *       "headAgeSeconds": 3,
                     *       "pausedAt": "2026-01-31T12:00:00.000Z",
                     *       "configured": true,
                     *       "wanted": true,
                     *       "held": true,
                     *       "collections": 12,
                     *       "streams": 1,
                     *       "fault": "paused since 2026-01-31T12:00:00.000Z",
                     *       "endpoints": [
                     *         {
                     *           "name": "node.example:8545",
                     *           "state": "good",
                     *           "calls": 10817,
                     *           "failed": 2,
                     *           "averageMs": 14,
                     *           "fault": null
                     *         }
                     *       ],
                     *       "changed": true
                     *     }
                     */
                    "application/json": components["schemas"]["ChangedAdminChain"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeChain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the chain, such as eth, 0x1 or 1, in any case. */
                chain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The chain. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0x1",
                     *       "chain": "eth",
                     *       "block": "24350001",
                     *       "head": "24350001",
                     *       "finalized": "24349920",
                     *       "lag": 0,
                     *       "headAgeSeconds": 3,
                     *       "pausedAt": null,
                     *       "configured": true,
                     *       "wanted": true,
                     *       "held": true,
                     *       "collections": 12,
                     *       "streams": 1,
                     *       "fault": null,
                     *       "endpoints": [
                     *         {
                     *           "name": "node.example:8545",
                     *           "state": "good",
                     *           "calls": 10817,
                     *           "failed": 2,
                     *           "averageMs": 14,
                     *           "fault": null
                     *         }
                     *       ],
                     *       "changed": true
                     *     }
                     */
                    "application/json": components["schemas"]["ChangedAdminChain"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetChain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the chain, such as eth, 0x1 or 1, in any case. */
                chain: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetChain"];
            };
        };
        responses: {
            /** @description How far the reset is after a few seconds. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0x7a69",
                     *       "chain": "local",
                     *       "done": true,
                     *       "collections": 2,
                     *       "streams": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ChainReset"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description Only keys in this status; left out: all. */
                status?: "active" | "revoked";
                /** @description Keys on a page. */
                limit?: number;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "id": "3",
                     *           "name": "shop",
                     *           "access": "read",
                     *           "requestsPerSecond": null,
                     *           "burst": null,
                     *           "createdAt": "2026-01-31T12:00:00.000Z",
                     *           "lastUsedAt": null,
                     *           "revokedAt": null
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "cursor": null,
                     *       "page": 0,
                     *       "page_size": 100
                     *     }
                     */
                    "application/json": {
                        /** @description The items of the page. */
                        result: components["schemas"]["ApiKey"][];
                        /** @description How many items the list has. */
                        total: number;
                        /** @description Gives the next page; null on the last one. */
                        cursor: string | null;
                        /** @description Number of the page, the first one being 0. */
                        page: number;
                        /** @description Most items on a page. */
                        page_size: number;
                    };
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKey"];
            };
        };
        responses: {
            /** @description The key, with its text. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "3",
                     *       "name": "shop",
                     *       "access": "read",
                     *       "requestsPerSecond": null,
                     *       "burst": null,
                     *       "createdAt": "2026-01-31T12:00:00.000Z",
                     *       "lastUsedAt": null,
                     *       "revokedAt": null,
                     *       "key": "mm_4rT9yQ2vX8sLk1ZbC7dFgHjKmNpQrStU"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the key, as in the list of keys. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key as it is now. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "3",
                     *       "name": "shop",
                     *       "access": "read",
                     *       "requestsPerSecond": null,
                     *       "burst": null,
                     *       "createdAt": "2026-01-31T12:00:00.000Z",
                     *       "lastUsedAt": null,
                     *       "revokedAt": "2026-02-01T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCollections: {
        parameters: {
            query?: {
                /** @description Name or id of the chain, such as eth, 0x1 or 1, in any case. */
                chain?: string;
                /** @description Only collections in this status. */
                status?: "queued" | "syncing" | "live" | "none" | "nocode" | "failed";
                /** @description Only collections whose name contains this text, in any case, or whose address begins with it. */
                search?: string;
                /** @description Collections on a page. */
                limit?: number;
                /** @description The cursor of the page before; empty or left out for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "result": [
                     *         {
                     *           "chain": "eth",
                     *           "chainId": "0x1",
                     *           "address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *           "status": "syncing",
                     *           "synced": false,
                     *           "reason": null,
                     *           "retryAt": null,
                     *           "standard": "ERC721",
                     *           "name": "Bored Ape Yacht Club",
                     *           "symbol": "BAYC",
                     *           "tokens": "7204",
                     *           "fromBlock": "12287507",
                     *           "toBlock": "18318754",
                     *           "headBlock": "24350001",
                     *           "progress": 0.5,
                     *           "blocksPerSecond": 40210.5,
                     *           "secondsLeft": 150,
                     *           "metadataProgress": 0.25,
                     *           "possibleSpam": false,
                     *           "verified": true,
                     *           "incomplete": null
                     *         }
                     *       ],
                     *       "total": 1,
                     *       "cursor": null,
                     *       "page": 0,
                     *       "page_size": 100
                     *     }
                     */
                    "application/json": {
                        /** @description The items of the page. */
                        result: components["schemas"]["AdminCollection"][];
                        /** @description How many items the list has. */
                        total: number;
                        /** @description Gives the next page; null on the last one. */
                        cursor: string | null;
                        /** @description Number of the page, the first one being 0. */
                        page: number;
                        /** @description Most items on a page. */
                        page_size: number;
                    };
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the chain, such as eth, 0x1 or 1, in any case. */
                chain: string;
                /** @description The contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The collection. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chain": "eth",
                     *       "chainId": "0x1",
                     *       "address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *       "status": "syncing",
                     *       "synced": false,
                     *       "reason": null,
                     *       "retryAt": null,
                     *       "standard": "ERC721",
                     *       "name": "Bored Ape Yacht Club",
                     *       "symbol": "BAYC",
                     *       "tokens": "7204",
                     *       "fromBlock": "12287507",
                     *       "toBlock": "18318754",
                     *       "headBlock": "24350001",
                     *       "progress": 0.5,
                     *       "blocksPerSecond": 40210.5,
                     *       "secondsLeft": 150,
                     *       "metadataProgress": 0.25,
                     *       "possibleSpam": false,
                     *       "verified": true,
                     *       "incomplete": null,
                     *       "requestedAt": "2026-01-31T12:00:00.000Z",
                     *       "requestedBy": {
                     *         "keyId": "3",
                     *         "name": "shop"
                     *       },
                     *       "metadata": {
                     *         "ok": "1790",
                     *         "failed": "11",
                     *         "permanent": "0",
                     *         "due": "5403",
                     *         "parked": "9",
                     *         "progress": 0.25,
                     *         "sweep": null,
                     *         "reasons": [
                     *           {
                     *             "reason": "HTTP 404",
                     *             "tokens": "11"
                     *           }
                     *         ]
                     *       },
                     *       "hosts": [
                     *         {
                     *           "host": "meta.example",
                     *           "state": "dead",
                     *           "failures": 12,
                     *           "fault": "meta.example cannot be reached (refused)",
                     *           "tokensWaiting": "9",
                     *           "deadSince": "2026-01-31T12:00:00.000Z",
                     *           "faultAt": "2026-01-31T12:00:00.000Z",
                     *           "retryAt": "2026-01-31T12:10:00.000Z"
                     *         }
                     *       ],
                     *       "verdict": {
                     *         "possibleSpam": false,
                     *         "verified": true,
                     *         "score": 0,
                     *         "reasons": [
                     *           "verified by the list shop"
                     *         ],
                     *         "spamOverride": null,
                     *         "verifiedOverride": null,
                     *         "assessedAt": "2026-01-31T12:00:00.000Z"
                     *       },
                     *       "leftOut": {
                     *         "wideLogs": "0",
                     *         "surplusTransfers": "0",
                     *         "logs": []
                     *       },
                     *       "previews": {
                     *         "success": "12",
                     *         "unsupported_media": "1"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AdminCollectionDetail"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the chain, such as eth, 0x1 or 1, in any case. */
                chain: string;
                /** @description The contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was removed. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chain": "eth",
                     *       "chainId": "0x1",
                     *       "address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *       "tokens": "7204",
                     *       "queued": false
                     *     }
                     */
                    "application/json": components["schemas"]["CollectionRemoval"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reindexCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the chain, such as eth, 0x1 or 1, in any case. */
                chain: string;
                /** @description The contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was removed. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chain": "eth",
                     *       "chainId": "0x1",
                     *       "address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *       "tokens": "7204",
                     *       "queued": true
                     *     }
                     */
                    "application/json": components["schemas"]["CollectionRemoval"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    flagCollection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the chain, such as eth, 0x1 or 1, in any case. */
                chain: string;
                /** @description The contract. */
                address: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CollectionFlag"];
            };
        };
        responses: {
            /** @description What the collection counts as now. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "possibleSpam": false,
                     *       "verified": true,
                     *       "score": 0,
                     *       "reasons": [
                     *         "verified by the list shop"
                     *       ],
                     *       "spamOverride": false,
                     *       "verifiedOverride": null,
                     *       "assessedAt": "2026-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Verdict"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewStream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewStream"];
            };
        };
        responses: {
            /** @description What matched. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chainId": "0x1",
                     *       "fromBlock": "24349982",
                     *       "toBlock": "24350001",
                     *       "blocks": 20,
                     *       "cutShort": [],
                     *       "matched": {
                     *         "blocks": 1,
                     *         "webhooks": 1,
                     *         "logs": 1,
                     *         "txs": 0,
                     *         "txsInternal": 0,
                     *         "erc20Transfers": 0,
                     *         "nftTransfers": 1
                     *       },
                     *       "samples": [
                     *         {
                     *           "confirmed": false,
                     *           "chainId": "0x1",
                     *           "abi": [],
                     *           "streamId": "",
                     *           "tag": "",
                     *           "retries": 0,
                     *           "block": {
                     *             "number": "24350001",
                     *             "hash": "0xb1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1",
                     *             "timestamp": "1769860800"
                     *           },
                     *           "logs": [
                     *             {
                     *               "transactionHash": "0xc9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9",
                     *               "logIndex": "7",
                     *               "address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *               "data": "0x",
                     *               "topic0": "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
                     *               "topic1": "0x0000000000000000000000000000000000000000000000000000000000000000",
                     *               "topic2": "0x0000000000000000000000005a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a",
                     *               "topic3": "0x0000000000000000000000000000000000000000000000000000000000000007"
                     *             }
                     *           ],
                     *           "txs": [],
                     *           "txsInternal": [],
                     *           "erc20Transfers": [],
                     *           "erc20Approvals": [],
                     *           "nftTransfers": [
                     *             {
                     *               "operator": null,
                     *               "from": "0x0000000000000000000000000000000000000000",
                     *               "to": "0x5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a",
                     *               "tokenId": "7",
                     *               "amount": "1",
                     *               "transactionHash": "0xc9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9c9",
                     *               "logIndex": "7",
                     *               "contract": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *               "tokenName": "Bored Ape Yacht Club",
                     *               "tokenSymbol": "BAYC",
                     *               "tokenContractType": "ERC721"
                     *             }
                     *           ],
                     *           "nftTokenApprovals": [],
                     *           "nftApprovals": {
                     *             "ERC721": [],
                     *             "ERC1155": []
                     *           },
                     *           "nativeBalances": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["StreamPreview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    testStream: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The stream. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the receiver answered, also where that is a failure. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "streamId": "7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f",
                     *       "webhookUrl": "https://shop.example/hooks",
                     *       "webhookId": "0c944061-8bed-5ece-83ff-be350eb27b9c",
                     *       "deliveryStatus": "failed",
                     *       "statusCode": 401,
                     *       "latencyMs": 37,
                     *       "response": "no signature in webhook-signature is right",
                     *       "errorMessage": "answered 401",
                     *       "createdAt": "2026-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SentTestWebhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    search: {
        parameters: {
            query: {
                /** @description What to look for: an address or its beginning, a name, a token id, address/id or chain/address/id, the type of a coin, its hash, name or symbol, the tag or id of a stream. */
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "collections": {
                     *         "result": [
                     *           {
                     *             "chain": "eth",
                     *             "chainId": "0x1",
                     *             "address": "0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d",
                     *             "name": "Bored Ape Yacht Club",
                     *             "status": "syncing",
                     *             "tokens": "7204"
                     *           }
                     *         ],
                     *         "more": false,
                     *         "cutShort": false
                     *       },
                     *       "tokens": {
                     *         "result": [],
                     *         "more": false,
                     *         "cutShort": false
                     *       },
                     *       "coins": {
                     *         "result": [],
                     *         "more": false,
                     *         "cutShort": false
                     *       },
                     *       "streams": {
                     *         "result": [
                     *           {
                     *             "id": "7b2bd7a5-3bd5-4d0c-9f4c-1a2b3c4d5e6f",
                     *             "tag": "apes",
                     *             "description": "transfers of the shop",
                     *             "status": "active",
                     *             "chains": [
                     *               "eth"
                     *             ]
                     *           }
                     *         ],
                     *         "more": false,
                     *         "cutShort": false
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SearchResult"];
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOpenapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description Names this version of the file, for If-None-Match. */
                    etag: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0",
                     *       "info": {
                     *         "title": "Mintmark",
                     *         "version": "1.0.0"
                     *       },
                     *       "paths": {}
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the file, for If-None-Match. */
                    etag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            405: components["responses"]["MethodNotAllowed"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDocs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description HTML. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description Names this version of the file, for If-None-Match. */
                    etag: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the file, for If-None-Match. */
                    etag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDocsFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the file. */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description Names this version of the file, for If-None-Match. */
                    etag: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the file, for If-None-Match. */
                    etag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getGuide: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description HTML. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description Names this version of the file, for If-None-Match. */
                    etag: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the file, for If-None-Match. */
                    etag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getGuidePage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the page. */
                page: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description HTML. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    /** @description Names this version of the file, for If-None-Match. */
                    etag: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The client has the answer already, by its If-None-Match. */
            304: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    "x-rate-limit-limit": components["headers"]["RateLimitLimit"];
                    "x-rate-limit-remaining": components["headers"]["RateLimitRemaining"];
                    "x-rate-limit-reset": components["headers"]["RateLimitReset"];
                    /** @description Names this version of the file, for If-None-Match. */
                    etag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
