import type { Address } from '../util/hex.ts'

/** Asks for collections to be indexed. */
export type Demand = {
  /**
   * Makes sure that a collection is queued, syncing or done, however many ask at once; an address without code is looked
   * at again when asked a minute after it was looked at. Throws TooManyRequestsError where a bound is reached.
   * `requestedBy`: id of the key, 0 for the configuration's own.
   */
  request(chainId: bigint, address: Address, requestedBy: bigint): Promise<void>
}
