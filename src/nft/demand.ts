import type { Address } from '../util/hex.ts'
import type { CollectionState } from './query.ts'

/** Requests collections to be indexed. */
export type Demand = {
  /**
   * Queues unknown collections of a chain, each once for any number of requests. An address without code, or a contract that has shown no tokens
   * yet, is queued again from `lookAgainAt` on. Throws TooManyRequestsError if too many collections are queued; the first ones within the limit are
   * queued then too. `requestedBy`: id of the API key, 0 for the configuration's own.
   */
  request(chainId: bigint, addresses: readonly Address[], requestedBy: bigint): Promise<void>
}

/** Requests wallets to be indexed over all contracts of their chain. */
export type WalletDemand = {
  /**
   * Queues a wallet that is not known yet, or that nobody requested in a while, once however many requests come together. Throws
   * TooManyRequestsError if too many wallets are queued. `requestedBy`: id of the API key, 0 for the configuration's own.
   */
  request(chainId: bigint, wallet: Address, requestedBy: bigint): Promise<void>
}

/** State of a token's metadata. */
export type TokenMetadataState = {
  /** due: read soon; ok: read; failed: tried again at `nextAt`; permanent: not tried by itself. */
  status: 'due' | 'ok' | 'failed' | 'permanent'
  reason: string | null
  attempts: number
  triedAt: Date | null
  nextAt: Date | null
}

/** A version of a token's metadata, served by its URI from `since` until `until`; null: the current one. */
export type TokenDocument = {
  documentHash: string | null
  tokenUri: string | null
  metadata: string | null
  since: Date | null
  until: Date | null
}

/** Schedules reads of metadata, and returns its versions. */
export type MetadataDemand = {
  /** Schedules a read of a token's metadata, a minute after the last attempt at the earliest. undefined: there is no such token. */
  resync(state: CollectionState, address: Address, tokenId: bigint): Promise<TokenMetadataState | undefined>
  /** State of a token's metadata, without a request. undefined: there is no such token. */
  stateOf(state: CollectionState, address: Address, tokenId: bigint): Promise<TokenMetadataState | undefined>
  /** Schedules reads of all metadata of a collection, ten minutes after the end of the last ones at the earliest. */
  resyncAll(state: CollectionState): Promise<void>
  /**
   * The metadata that a token gave, newest first, at most `limit`. `dropped`: how many still older ones are no longer kept.
   * undefined: there is and was no such token.
   */
  history(
    state: CollectionState,
    address: Address,
    tokenId: bigint,
    limit: number,
  ): Promise<{ documents: TokenDocument[]; dropped: number } | undefined>
}
