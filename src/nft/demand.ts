import type { Address } from '../util/hex.ts'
import type { CollectionState, RequestedToken } from './query.ts'

/** Requests collections to be indexed. */
export type Demand = {
  /**
   * Queues unknown collections of a chain, once for any number of requests. An address without code, or a contract
   * without tokens so far, is queued again after `lookAgainAt`. Throws TooManyRequestsError if too many collections are
   * queued; those within the limit are queued anyway. `requestedBy`: id of the API key, 0 for the configured key.
   */
  request(chainId: bigint, addresses: readonly Address[], requestedBy: bigint): Promise<void>
}

/** Requests wallets to be indexed over all contracts of their chain. */
export type WalletDemand = {
  /**
   * Queues a wallet that is unknown or was not requested for a while, once for any number of requests. Throws
   * BadRequestError for a burn address, and TooManyRequestsError if too many wallets are queued. `requestedBy`: id of the
   * API key, 0 for the configured key.
   */
  request(chainId: bigint, wallet: Address, requestedBy: bigint): Promise<void>
}

/** State of a token's metadata. */
export type TokenMetadataState = {
  /** due: read soon; ok: read; failed: retried at `nextAt`; permanent: not retried automatically. */
  status: 'due' | 'ok' | 'failed' | 'permanent'
  reason: string | null
  attempts: number
  triedAt: Date | null
  nextAt: Date | null
}

/** A version of a token's metadata, which its URI returned from `since` to `until`; null: the current one. */
export type FetchedMetadata = {
  metadataHash: string | null
  tokenUri: string | null
  metadata: string | null
  since: Date | null
  until: Date | null
}

/** Schedules reads of metadata, and returns its versions. */
export type MetadataDemand = {
  /**
   * Schedules reads of tokens' metadata, at least a minute after the last attempts. States in the requested order;
   * undefined: there is no such token.
   */
  resync(tokens: readonly RequestedToken[]): Promise<(TokenMetadataState | undefined)[]>
  /** The same states, without a request. */
  statesOf(tokens: readonly RequestedToken[]): Promise<(TokenMetadataState | undefined)[]>
  /** Schedules reads of a collection's metadata, at least ten minutes after the last ones ended. */
  resyncAll(state: CollectionState): Promise<void>
  /**
   * Versions of a token's metadata, newest first, at most `limit`. `dropped`: number of deleted older ones. undefined:
   * the token never existed.
   */
  history(
    state: CollectionState,
    address: Address,
    tokenId: bigint,
    limit: number,
  ): Promise<{ metadata: FetchedMetadata[]; dropped: number } | undefined>
}
