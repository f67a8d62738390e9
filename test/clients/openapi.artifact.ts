// Written by scripts/writeOpenapi.ts from openapi.json.
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
         * @description In order of token_hash, descending. A contract that is not indexed yet is indexed from now on, and the page says what is known so far. Also at /api/v2.2.
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
    "/api/v2/nft/{address}/{token_id}/metadata/resync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a token's metadata again
         * @description Not sooner than a minute after it was last read. Answers at once with where it stands.
         */
        get: operations["reSyncMetadata"];
        put?: never;
        /**
         * Read a token's metadata again
         * @description Not sooner than a minute after it was last read. Answers at once with where it stands.
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
         * @description Ten minutes apart at least. A contract that is not indexed yet is indexed.
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
         * @description Newest first. A document holds from when it was first read until another one was. Kept are the one of now and the latest 99 before it, of at most 16 MiB together.
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
        /** All streams */
        get: operations["listStreams"];
        /**
         * Make a stream
         * @description Its address gets a test webhook first; where that gets no 2xx, the stream is made paused and its statusMessage says why.
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
        /** One stream */
        get: operations["getStream"];
        put?: never;
        /**
         * Change a stream
         * @description What is left out stays. A new address gets a test webhook first, as on making the stream.
         */
        post: operations["updateStream"];
        /** Delete a stream */
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
         * @description active sends what was kept and sets the success rate of its address back to 100. A paused stream keeps its place: resuming does the blocks in between, leaves them out where resumeFrom is now, or goes on with the blocks that fromBlocks names. effectiveBlocks names the first block that it goes on with.
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
        /** Addresses of a stream */
        get: operations["listStreamAddresses"];
        put?: never;
        /**
         * Add addresses to a stream
         * @description With fromBlocks, or where the stream was made with it, addresses also get their history from there on: what they add to the webhooks that the stream has had.
         */
        post: operations["addStreamAddresses"];
        /** Remove addresses from a stream */
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
         * @description The sum over all streams, those that were deleted among them, and each in streams.
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
        /** Statistics of a stream */
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
         * @description A page whose payloads come to more than 4 MiB has fewer items than its limit, and a cursor. So may one in status delivered where most webhooks are not.
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
        /** Attempts to deliver, the latest first */
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
        /** How far a replay of a range is */
        get: operations["getRangeReplay"];
        put?: never;
        /**
         * Send a webhook again
         * @description Its first body, byte for byte, under the same webhook-id; retried as any other. What a reorganisation took back is never sent again: 409; what was removed, as it was settled long ago, cannot be: 410.
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
         * @description Every webhook of the stream that fits and is there by now: all of them where nothing is said, one after the other in the order in which they were first sent. What a reorganisation took back is left out. A long range is queued while it is sent.
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
        /** Settings of all streams */
        get: operations["getSettings"];
        put?: never;
        /**
         * Change settings of all streams
         * @description What is left out stays. Webhooks sent from then on are signed with the new secretKey.
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
        /** What signs notices to operations */
        get: operations["getOperationsSettings"];
        put?: never;
        /**
         * Change what signs notices to operations
         * @description Notices sent from then on are signed with it alone.
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
         * @description webhook-signature carries a signature of each until the previous one expires.
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
        /** A preview of the media of an NFT */
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
        /** What this server is */
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
        /** Whether the process is alive */
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
        /** Whether the database and the configured chains answered */
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
        /** Figures for Prometheus */
        get: operations["getMetrics"];
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
        /** This document */
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
        /** A page to try the operations */
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
        /** A file of that page */
        get: operations["getDocsFile"];
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
        CreateStream: {
            /** @description Where webhooks go: http or https. */
            webhookUrl: string;
            description: string;
            tag: string;
            chainIds: string[];
            /** @description Key of the Standard Webhooks signature: whsec_ and 24 to 64 bytes in base64. Generated where none is given. The one before still signs for a while. */
            webhookSecret?: string | null;
            /** @description Webhooks are sent compressed, with content-encoding: gzip. What is signed is the body before that. */
            gzip?: boolean | null;
            /** @description Sent with every webhook: at most 20 and 8 kB. Values are never shown again: an answer has null for each, and null given leaves a value as it is. All of them go where the address moves to another origin, unless they are given again with it. */
            headers?: {
                [key: string]: string | null;
            } | null;
            topic0?: string[] | null;
            allAddresses?: boolean | null;
            includeNativeTxs?: boolean | null;
            includeContractLogs?: boolean | null;
            includeInternalTxs?: boolean | null;
            includeAllTxLogs?: boolean | null;
            abi?: ({
                type?: string;
                name?: string;
            } & {
                [key: string]: unknown;
            })[] | null;
            advancedOptions?: {
                /** @description Signature of an event, such as Transfer(address,address,uint256), or its hash. */
                topic0: string;
                /** @description Which logs of the event: a tree over its arguments. */
                filter?: {
                    [key: string]: unknown;
                } | null;
                /** @description The transactions of the logs that match, too. */
                includeNativeTxs?: boolean | null;
            }[] | null;
            getNativeBalances?: {
                /** @description Such as $from, $to or $contract, or an address. */
                selectors: string[];
                /** @description tx, log, erc20transfer, erc20approval, nfttransfer or internalTx. */
                type: string;
            }[] | null;
            demo?: boolean | null;
            confirmedOnly?: boolean | null;
            delivery?: ("ordered" | "unordered") | null;
            /** @description Not supported yet. */
            triggers?: unknown[] | null;
            /** @description First block of history to match, by chain. */
            fromBlocks?: {
                [key: string]: string;
            } | null;
        };
        UpdateStream: {
            webhookUrl?: string | null;
            description?: string | null;
            tag?: string | null;
            chainIds?: string[] | null;
            /** @description Key of the Standard Webhooks signature: whsec_ and 24 to 64 bytes in base64. Generated where none is given. The one before still signs for a while. */
            webhookSecret?: string | null;
            /** @description Webhooks are sent compressed, with content-encoding: gzip. What is signed is the body before that. */
            gzip?: boolean | null;
            /** @description Sent with every webhook: at most 20 and 8 kB. Values are never shown again: an answer has null for each, and null given leaves a value as it is. All of them go where the address moves to another origin, unless they are given again with it. */
            headers?: {
                [key: string]: string | null;
            } | null;
            topic0?: string[] | null;
            allAddresses?: boolean | null;
            includeNativeTxs?: boolean | null;
            includeContractLogs?: boolean | null;
            includeInternalTxs?: boolean | null;
            includeAllTxLogs?: boolean | null;
            abi?: ({
                type?: string;
                name?: string;
            } & {
                [key: string]: unknown;
            })[] | null;
            advancedOptions?: {
                /** @description Signature of an event, such as Transfer(address,address,uint256), or its hash. */
                topic0: string;
                /** @description Which logs of the event: a tree over its arguments. */
                filter?: {
                    [key: string]: unknown;
                } | null;
                /** @description The transactions of the logs that match, too. */
                includeNativeTxs?: boolean | null;
            }[] | null;
            getNativeBalances?: {
                /** @description Such as $from, $to or $contract, or an address. */
                selectors: string[];
                /** @description tx, log, erc20transfer, erc20approval, nfttransfer or internalTx. */
                type: string;
            }[] | null;
            demo?: boolean | null;
            confirmedOnly?: boolean | null;
            delivery?: ("ordered" | "unordered") | null;
            /** @description Not supported yet. */
            triggers?: unknown[] | null;
            /** @description First block of history to match, by chain: of chains that this update adds, and that the stream never had. */
            fromBlocks?: {
                [key: string]: string;
            } | null;
        };
        StreamStatus: {
            /** @enum {string} */
            status: "active" | "paused";
            /** @description With active: pause (default) does the blocks since the stream was paused; now leaves them out and starts at the next block. */
            resumeFrom?: ("pause" | "now") | null;
            /** @description With active: the block to go on with, by chain, instead of resumeFrom: not before the first one that the paused stream was not matched in, nor after the next one. */
            fromBlocks?: {
                [key: string]: string;
            } | null;
        };
        ChangeStreamSettings: {
            region?: ("us-east-1" | "us-west-2" | "eu-central-1" | "ap-southeast-1") | null;
            secretKey?: string | null;
        };
        NftPage: {
            /** @description Records of the collection, or of the part asked for; null unless disable_total is false. */
            total: number | null;
            page: number;
            page_size: number;
            /** @description Gives the next page; null on the last one. */
            cursor: string | null;
            result: components["schemas"]["Nft"][];
            /**
             * @description SYNCED: ownership covers every block up to the head last seen.
             * @enum {string}
             */
            status: "SYNCED" | "SYNCING";
        };
        Nft: {
            token_address: string;
            token_id: string;
            /** @description MD5 of the lower-case token_address and the decimal token_id. */
            token_hash: string;
            /** @description null for a token with several holders (ERC-1155). */
            owner_of: string | null;
            minter_address: string | null;
            /** @description Block of the last transfer. */
            block_number: string;
            block_number_minted: string;
            /** @description 1 for ERC721, the amount in existence for ERC1155. */
            amount: string;
            contract_type: ("ERC721" | "ERC1155") | null;
            name: string | null;
            symbol: string | null;
            token_uri: string | null;
            /** @description The metadata document as JSON text. */
            metadata: string | null;
            normalized_metadata: {
                name: string | null;
                description: string | null;
                image: string | null;
                external_link: string | null;
                external_url: string | null;
                animation_url: string | null;
                attributes: {
                    trait_type: string | null;
                    value: unknown;
                    display_type: string | null;
                    max_value: unknown;
                    trait_count: unknown;
                    order: unknown;
                }[];
            } | null;
            media: {
                /** @enum {string} */
                status: "success" | "processing" | "unsupported_media" | "invalid_url" | "host_unavailable" | "temporarily_unavailable";
                /** @description The address; of a data: URI above 100,000 characters the header alone, as metadata has the whole. */
                original_media_url: string;
                mimetype?: string;
                category?: string;
                parent_hash?: string;
                /** Format: date-time */
                updatedAt?: string;
                media_collection?: {
                    low: {
                        width: number;
                        height: number;
                        url: string;
                    };
                    medium: {
                        width: number;
                        height: number;
                        url: string;
                    };
                    high: {
                        width: number;
                        height: number;
                        url: string;
                    };
                };
            } | null;
            last_token_uri_sync: string | null;
            last_metadata_sync: string | null;
            possible_spam: boolean;
            verified_collection: boolean;
        };
        Error: {
            /** @description What was wrong with which parameter, and what is allowed. */
            message: string;
            statusCode: number;
            details?: {
                [key: string]: unknown;
            };
        };
        CoinPage: {
            /** @description Gives the next page; null exactly when there is none. */
            cursor: string | null;
            hasNextPage: boolean;
            result: components["schemas"]["Coin"][];
        };
        Coin: {
            /** @description As the chain prints it. */
            coin_type: string;
            /** @description SHA-256 of coin_type. */
            coin_type_hash: string;
            creator_address: string;
            decimals: number;
            name: string;
            supply_aggregator_table_handle: string | null;
            supply_aggregator_table_key: string | null;
            symbol: string;
            transaction_created_timestamp: string;
            transaction_version_created: string;
        };
        ChangedStream: {
            /** Format: uuid */
            id: string;
            webhookUrl: string;
            description: string;
            tag: string;
            chainIds: string[];
            /**
             * @description Events; empty: any.
             * @default []
             */
            topic0: string[];
            /**
             * @description Every contract and account, instead of the addresses of the stream.
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
             * @description Value that moved inside of transactions from or to such an address.
             * @default false
             */
            includeInternalTxs: boolean;
            /**
             * @description All logs of a transaction of which anything matched.
             * @default false
             */
            includeAllTxLogs: boolean;
            /**
             * @description ABI items; what events are decoded by, and part of every webhook.
             * @default []
             */
            abi: ({
                type?: string;
                name?: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @default [] */
            advancedOptions: {
                /** @description Signature of an event, such as Transfer(address,address,uint256), or its hash. */
                topic0: string;
                /** @description Which logs of the event: a tree over its arguments. */
                filter?: {
                    [key: string]: unknown;
                } | null;
                /** @description The transactions of the logs that match, too. */
                includeNativeTxs?: boolean | null;
            }[];
            /** @default [] */
            getNativeBalances: {
                /** @description Such as $from, $to or $contract, or an address. */
                selectors: string[];
                /** @description tx, log, erc20transfer, erc20approval, nfttransfer or internalTx. */
                type: string;
            }[];
            /** @default false */
            demo: boolean;
            /**
             * @description Only the webhook of a block that is confirmed; else, of blocks at the head, the unconfirmed one too.
             * @default false
             */
            confirmedOnly: boolean;
            /** @enum {string} */
            status: "active" | "paused" | "error" | "terminated";
            /** @description Why it is not active; empty otherwise. */
            statusMessage: string;
            /** @description Key of the Standard Webhooks signature, whsec_…. */
            webhookSecret: string;
            /** @description Names of the headers that are sent with its webhooks. Their values are never shown. */
            headers: {
                [key: string]: null;
            };
            /** @enum {string} */
            delivery: "ordered" | "unordered";
            gzip: boolean;
            amountOfAddresses: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description First block of each chain, by its id in hex, that the change holds for. */
            effectiveBlocks: {
                [key: string]: string;
            };
        };
        Stream: {
            /** Format: uuid */
            id: string;
            webhookUrl: string;
            description: string;
            tag: string;
            chainIds: string[];
            /**
             * @description Events; empty: any.
             * @default []
             */
            topic0: string[];
            /**
             * @description Every contract and account, instead of the addresses of the stream.
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
             * @description Value that moved inside of transactions from or to such an address.
             * @default false
             */
            includeInternalTxs: boolean;
            /**
             * @description All logs of a transaction of which anything matched.
             * @default false
             */
            includeAllTxLogs: boolean;
            /**
             * @description ABI items; what events are decoded by, and part of every webhook.
             * @default []
             */
            abi: ({
                type?: string;
                name?: string;
            } & {
                [key: string]: unknown;
            })[];
            /** @default [] */
            advancedOptions: {
                /** @description Signature of an event, such as Transfer(address,address,uint256), or its hash. */
                topic0: string;
                /** @description Which logs of the event: a tree over its arguments. */
                filter?: {
                    [key: string]: unknown;
                } | null;
                /** @description The transactions of the logs that match, too. */
                includeNativeTxs?: boolean | null;
            }[];
            /** @default [] */
            getNativeBalances: {
                /** @description Such as $from, $to or $contract, or an address. */
                selectors: string[];
                /** @description tx, log, erc20transfer, erc20approval, nfttransfer or internalTx. */
                type: string;
            }[];
            /** @default false */
            demo: boolean;
            /**
             * @description Only the webhook of a block that is confirmed; else, of blocks at the head, the unconfirmed one too.
             * @default false
             */
            confirmedOnly: boolean;
            /** @enum {string} */
            status: "active" | "paused" | "error" | "terminated";
            /** @description Why it is not active; empty otherwise. */
            statusMessage: string;
            /** @description Key of the Standard Webhooks signature, whsec_…. */
            webhookSecret: string;
            /** @description Names of the headers that are sent with its webhooks. Their values are never shown. */
            headers: {
                [key: string]: null;
            };
            /** @enum {string} */
            delivery: "ordered" | "unordered";
            gzip: boolean;
            amountOfAddresses: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
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
                /** Format: uuid */
                streamId: string;
            }[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        HistoryItem: {
            /**
             * Format: uuid
             * @description The header webhook-id.
             */
            id: string;
            /** Format: date-time */
            date: string;
            /** @description The body as first sent. */
            payload?: unknown;
            tinyPayload: {
                chainId: string;
                confirmed: boolean;
                block: string;
                records: number;
                retries: number;
            };
            /** @description Why it is not delivered; empty where it is, or was not tried yet. */
            errorMessage: string;
            webhookUrl: string;
            /** Format: uuid */
            streamId: string;
            tag: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed" | "dropped";
        };
        DeliveryLog: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            streamId: string;
            chain: string;
            webhookUrl: string;
            tag: string;
            retries: number;
            /** @enum {string} */
            deliveryStatus: "failed" | "success";
            blockNumber: number;
            errorMessage: string;
            /** @constant */
            type: "evm";
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: uuid
             * @description The header webhook-id.
             */
            webhookId: string;
            /** @description null where there was no answer. */
            statusCode: number | null;
            latencyMs: number;
            /** @description First kilobyte of the answer. */
            response: string;
        };
        RangeReplay: {
            /**
             * Format: uuid
             * @description Of the replay.
             */
            id: string;
            /** Format: uuid */
            streamId: string;
            /**
             * @description done: everything is queued; stopped: the stream sends nothing any more.
             * @enum {string}
             */
            status: "running" | "done" | "stopped";
            /** @description Why it stopped; empty otherwise. */
            message: string;
            /** @description Part of the webhooks that was gone through, from 0 to 1. */
            progress: number;
            /** @description Webhooks queued so far. */
            replayed: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        StreamSettings: {
            /**
             * @description Kept for published clients; this server is where it is.
             * @enum {string}
             */
            region: "us-east-1" | "us-west-2" | "eu-central-1" | "ap-southeast-1";
            /** @description What x-signature is made with; generated until it is set. */
            secretKey: string;
        };
        OperationsSettings: {
            /** @description Key of both signatures of notices to webhooks.operationsUrl. */
            webhookSecret: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getContractNFTs: {
        parameters: {
            query?: {
                chain?: string;
                format?: "decimal" | "hex";
                limit?: number;
                totalRanges?: number;
                range?: number;
                disable_total?: boolean;
                cursor?: string;
                normalizeMetadata?: boolean;
                media_items?: boolean;
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
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Covered part of the history, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Read part of the metadata, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks between the two. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed. */
                    "x-index-failure"?: string;
                    /** @description What had to be left out and why, where something had to be. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NftPage"];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getNFT: {
        parameters: {
            query?: {
                chain?: string;
                format?: "decimal" | "hex";
                normalizeMetadata?: boolean;
                media_items?: boolean;
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
                    /** @description Names this version of the page, for If-None-Match. */
                    etag?: string;
                    "x-index-status": "queued" | "syncing" | "synced" | "failed";
                    /** @description Covered part of the history, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description Read part of the metadata, from 0 to 1. */
                    "x-index-metadata-progress": string;
                    /** @description First block with anything to read. */
                    "x-index-from-block"?: string;
                    /** @description Last block covered without a gap. */
                    "x-index-to-block"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-block"?: string;
                    /** @description Blocks between the two. */
                    "x-index-lag-blocks"?: string;
                    /** @description Whole seconds since a node last confirmed the head, at the moment of the answer. */
                    "x-index-head-age"?: string;
                    /** @description Why the indexing failed. */
                    "x-index-failure"?: string;
                    /** @description What had to be left out and why, where something had to be. */
                    "x-index-incomplete"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Nft"];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    reSyncMetadata: {
        parameters: {
            query?: {
                chain?: string;
                flag?: "uri" | "metadata";
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
            /** @description It is due. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description due: it is read at next_at; permanent: only on demand.
                         * @enum {string}
                         */
                        status: "due" | "ok" | "failed" | "permanent";
                        /** @description Why it could not be read. */
                        reason: string | null;
                        attempts: number;
                        tried_at: string | null;
                        next_at: string | null;
                    };
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    reSyncMetadataByPost: {
        parameters: {
            query?: {
                chain?: string;
                flag?: "uri" | "metadata";
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
            /** @description It is due. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description due: it is read at next_at; permanent: only on demand.
                         * @enum {string}
                         */
                        status: "due" | "ok" | "failed" | "permanent";
                        /** @description Why it could not be read. */
                        reason: string | null;
                        attempts: number;
                        tried_at: string | null;
                        next_at: string | null;
                    };
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    syncNFTContract: {
        parameters: {
            query?: {
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
            /** @description It is asked for. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        status: "SYNCED" | "SYNCING";
                        metadata_progress: number;
                    };
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getNFTMetadataHistory: {
        parameters: {
            query?: {
                chain?: string;
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
            /** @description Its documents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        result: {
                            /** @description SHA-256 of the document. */
                            document_hash: string | null;
                            token_uri: string | null;
                            metadata: string | null;
                            since: string | null;
                            /** @description null: it is what the token says now. */
                            until: string | null;
                        }[];
                        /** @description Older documents that are kept no more; 0: the history is whole. */
                        dropped: number;
                    };
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLatestCoins: {
        parameters: {
            query: {
                /** @description Most coins on a page. */
                limit: number;
                offset?: number;
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
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    "x-index-status": "unconfigured" | "queued" | "syncing" | "synced" | "failed";
                    /** @description Covered part of the chain, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description First version that is read. */
                    "x-index-from-version"?: string;
                    /** @description Last version covered without a gap; newer coins are not shown yet. */
                    "x-index-to-version"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-version"?: string;
                    /** @description Versions between the two. */
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
                    "application/json": components["schemas"]["CoinPage"];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCoinsByHashes: {
        parameters: {
            query: {
                /** @description 1 to 25 coin type hashes. */
                coin_type_hashes: string[];
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
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    "x-index-status": "unconfigured" | "queued" | "syncing" | "synced" | "failed";
                    /** @description Covered part of the chain, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description First version that is read. */
                    "x-index-from-version"?: string;
                    /** @description Last version covered without a gap; newer coins are not shown yet. */
                    "x-index-to-version"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-version"?: string;
                    /** @description Versions between the two. */
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
                    "application/json": components["schemas"]["Coin"][];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLatestCoinsOfNetwork: {
        parameters: {
            query: {
                /** @description Most coins on a page. */
                limit: number;
                offset?: number;
                cursor?: string;
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
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    "x-index-status": "unconfigured" | "queued" | "syncing" | "synced" | "failed";
                    /** @description Covered part of the chain, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description First version that is read. */
                    "x-index-from-version"?: string;
                    /** @description Last version covered without a gap; newer coins are not shown yet. */
                    "x-index-to-version"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-version"?: string;
                    /** @description Versions between the two. */
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
                    "application/json": components["schemas"]["CoinPage"];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getCoinsByHashesOfNetwork: {
        parameters: {
            query: {
                /** @description 1 to 25 coin type hashes. */
                coin_type_hashes: string[];
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
                    /** @description Names this version of the answer, for If-None-Match. */
                    etag?: string;
                    "x-index-status": "unconfigured" | "queued" | "syncing" | "synced" | "failed";
                    /** @description Covered part of the chain, from 0 to 1. */
                    "x-index-progress": string;
                    /** @description First version that is read. */
                    "x-index-from-version"?: string;
                    /** @description Last version covered without a gap; newer coins are not shown yet. */
                    "x-index-to-version"?: string;
                    /** @description Head of the chain last seen. */
                    "x-index-head-version"?: string;
                    /** @description Versions between the two. */
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
                    "application/json": components["schemas"]["Coin"][];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listStreams: {
        parameters: {
            query?: {
                limit?: number;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        result: components["schemas"]["Stream"][];
                        total: number;
                        /** @description Gives the next page; null on the last one. */
                        cursor: string | null;
                        page: number;
                        page_size: number;
                    };
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the right. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedStream"];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the right. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too long. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stream"];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the right. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedStream"];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the right. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too long. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stream"];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the right. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedStream"];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the right. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too long. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listStreamAddresses: {
        parameters: {
            query?: {
                limit?: number;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        result: {
                            address: string;
                        }[];
                        total: number;
                        /** @description Gives the next page; null on the last one. */
                        cursor: string | null;
                        page: number;
                        page_size: number;
                    };
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the right. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /** @description First block of the history of these addresses, by chain: what they add to what the stream has had. */
                    fromBlocks?: {
                        [key: string]: string;
                    } | null;
                };
            };
        };
        responses: {
            /** @description New ones among them are watched from effectiveBlocks on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        streamId: string;
                        address: string | string[];
                        /** @description First block of each chain, by its id in hex, that the change holds for. */
                        effectiveBlocks: {
                            [key: string]: string;
                        };
                    };
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the right. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too long. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description They are not watched from effectiveBlocks on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        streamId: string;
                        address: string | string[];
                        /** @description First block of each chain, by its id in hex, that the change holds for. */
                        effectiveBlocks: {
                            [key: string]: string;
                        };
                    };
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the right. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too long. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StreamStats"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StreamStats"];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getStatsHistory: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        streamId: string;
                        /** @enum {string} */
                        step: "minute" | "hour";
                        /** Format: date-time */
                        from: string;
                        /** Format: date-time */
                        to: string;
                        result: {
                            /** Format: date-time */
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
                        }[];
                    };
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getHistory: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                streamId?: string;
                excludePayload?: boolean;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        result: components["schemas"]["HistoryItem"][];
                        total: number;
                        cursor: string | null;
                        page: number;
                        page_size: number;
                    };
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the right. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLogs: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                streamId?: string;
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        result: components["schemas"]["DeliveryLog"][];
                        total: number;
                        cursor: string | null;
                        page: number;
                        page_size: number;
                    };
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the right. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description How far it is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RangeReplay"];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the right. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryItem"];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the right. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It cannot be done as things stand now; the message says why. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It was here and is removed; the message says why. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replayRange: {
        parameters: {
            query?: {
                chain?: string;
                fromBlock?: string;
                toBlock?: string;
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
            /** @description How far it is. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RangeReplay"];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the right. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StreamSettings"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the right. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StreamSettings"];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the right. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too long. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationsSettings"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the right. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationsSettings"];
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the right. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too long. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        webhookSecret: string;
                        /** Format: date-time */
                        previousUntil: string;
                    };
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key lacks the right. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description Name, version, and where to read on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        version: string;
                        docs: string;
                        openapi: string;
                    };
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description It is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        version: string;
                    };
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description They did. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ready";
                    };
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The key is missing or unknown. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests, too many wrong keys from one address, or too much is waiting; Retry-After says when to ask again. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The client takes no JSON. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getDocsFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Its name. */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description A parameter is wrong. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description There is no such thing. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server failed; its log has the x-request-id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The server starts, its database is away, or a disk takes no writes; Retry-After says when to ask again. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
