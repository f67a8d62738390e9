import type { Address } from '../util/hex.ts'
import type { CollectionState } from './query.ts'

/** Asks for collections to be indexed. */
export type Demand = {
  /**
   * Makes sure that a collection is queued, syncing or done, however many ask at once; an address without code, or a contract
   * that nothing tells of yet, is looked at again from `lookAgainAt` on. Throws TooManyRequestsError where a bound is reached.
   * `requestedBy`: id of the key, 0 for the configuration's own.
   */
  request(chainId: bigint, address: Address, requestedBy: bigint): Promise<void>
}

/** Where a token's metadata stands. */
export type TokenMetadataState = {
  /** due: read soon; ok: read; failed: tried again at `nextAt`; permanent: not tried by itself. */
  status: 'due' | 'ok' | 'failed' | 'permanent'
  reason: string | null
  attempts: number
  triedAt: Date | null
  nextAt: Date | null
}

/** A document that a token's URI gave, and when it was first and last what it gave; `until` null: it still is. */
export type TokenDocument = {
  documentHash: string | null
  tokenUri: string | null
  metadata: string | null
  since: Date | null
  until: Date | null
}

/** Asks for metadata to be read again, and tells what is known of it. */
export type MetadataDemand = {
  /** Has a token read again, not sooner than a minute after it was last tried. undefined: there is no such token. */
  resync(state: CollectionState, address: Address, tokenId: bigint): Promise<TokenMetadataState | undefined>
  /** Has every token of a collection read again; ten minutes apart at least. */
  resyncAll(state: CollectionState): Promise<void>
  /**
   * What a token said and says, newest first, at most `limit`. `dropped`: how many documents were removed that are older than all
   * that are kept. undefined: there is and was no such token.
   */
  history(
    state: CollectionState,
    address: Address,
    tokenId: bigint,
    limit: number,
  ): Promise<{ documents: TokenDocument[]; dropped: number } | undefined>
}
