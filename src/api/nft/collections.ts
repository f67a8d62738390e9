import type { Demand } from '../../nft/demand.ts'
import type { CollectionState, NftQuery } from '../../nft/query.ts'
import { createLru } from '../../util/createLru.ts'
import type { Address } from '../../util/hex.ts'
import { createRecent, type Recent } from '../pages/recent.ts'
import { type TellCollection, tellCollection } from './tellCollection.ts'

/** What was last read of a collection. */
export type Snapshot = {
  state: CollectionState | undefined
  /** page: there is a page, maybe an empty one; nocode: no contract was found at the address. */
  kind: 'page' | 'nocode'
  /** The request has to start the indexing: no earlier one did, or the contract is to be looked at again. */
  due: boolean
  version: bigint
  tell: TellCollection
}

/** A collection, and what was last read of it. */
export type Collection = {
  readonly chainId: bigint
  readonly address: Address
  readonly recent: Recent<Snapshot>
}

export type Collections = {
  get(chainId: bigint, address: Address): Collection
  /** Starts the indexing, and forgets what was read before. */
  demand(collection: Collection, keyId: bigint): Promise<void>
}

export function createCollections(options: { query: NftQuery; demand: Demand; freshMs: number }): Collections {
  const { query, demand, freshMs } = options
  const known = createLru<string, Collection>(10_000)

  return {
    get(chainId, address) {
      const name = `${chainId}:${address}`
      let collection = known.get(name)
      if (!collection) {
        const read = async () => {
          const readAt = performance.now()
          return snapshotOf(await query.state(chainId, address), readAt)
        }
        collection = { chainId, address, recent: createRecent({ read, freshMs }) }
        known.set(name, collection)
      }
      return collection
    },
    async demand({ chainId, address, recent }, keyId) {
      await demand.request(chainId, address, keyId)
      recent.forget()
    },
  }
}

function snapshotOf(state: CollectionState | undefined, readAt: number): Snapshot {
  return {
    state,
    kind: isCodeless(state) ? 'nocode' : 'page',
    due: isDue(state),
    version: state?.version ?? 0n,
    tell: tellCollection(state, readAt),
  }
}

/** An address without code that is queued for another look counts as codeless until a contract is found there, which has a first block. */
function isCodeless(state: CollectionState | undefined): boolean {
  return (
    state?.status === 'nocode' || (state?.status === 'queued' && state.checkedAt !== null && state.fromBlock === null)
  )
}

function isDue(state: CollectionState | undefined): boolean {
  return !state || (state.lookAgainAt !== null && Date.now() >= state.lookAgainAt)
}
