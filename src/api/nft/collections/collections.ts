import type { Demand } from '../../../nft/demand.ts'
import type { CollectionState, NftQuery } from '../../../nft/query.ts'
import { createLru } from '../../../util/createLru.ts'
import type { Address } from '../../../util/hex.ts'
import { createRecent, type Recent } from '../../pages/recent.ts'
import { type CollectionReport, reportCollection } from './reportCollection.ts'

/** The last read state of a collection. */
export type Snapshot = {
  state: CollectionState | undefined
  /** page: there is a page, maybe an empty one; nocode: no contract was found at the address. */
  kind: 'page' | 'nocode'
  /** The request must start indexing: it was not requested before, or the contract is due for another check. */
  isDue: boolean
  version: bigint
  report: CollectionReport
}

/** A collection with its last read state. */
export type Collection = {
  readonly chainId: bigint
  readonly address: Address
  readonly recent: Recent<Snapshot>
}

export type Collections = {
  get(chainId: bigint, address: Address): Collection
  /** State of collections of one chain, in their order. One statement reads those without a fresh state. */
  read(chainId: bigint, addresses: readonly Address[]): Promise<{ collection: Collection; snapshot: Snapshot }[]>
  /** Starts indexing collections of one chain, and discards their cached states. */
  demand(chainId: bigint, collections: readonly Collection[], keyId: bigint): Promise<void>
}

export function createCollections(options: { query: NftQuery; demand: Demand; freshMs: number }): Collections {
  const { query, demand, freshMs } = options
  const known = createLru<string, Collection>(10_000)

  function get(chainId: bigint, address: Address): Collection {
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
  }

  return {
    get,
    async read(chainId, addresses) {
      const readAt = performance.now()
      const requested = addresses.map((address) => {
        const collection = get(chainId, address)
        return { collection, fresh: collection.recent.fresh(readAt) }
      })
      const stale = requested.filter(({ fresh }) => fresh === undefined).map(({ collection }) => collection.address)
      const states = stale.length > 0 ? await query.states(chainId, stale) : undefined
      return requested.map(({ collection, fresh }) => {
        if (fresh) return { collection, snapshot: fresh }
        const snapshot = snapshotOf(states?.get(collection.address), readAt)
        collection.recent.take(snapshot, readAt)
        return { collection, snapshot }
      })
    },
    async demand(chainId, collections, keyId) {
      const addresses = collections.map(({ address }) => address)
      // Also if only some were queued.
      await demand.request(chainId, addresses, keyId).finally(() => {
        for (const { recent } of collections) recent.forget()
      })
    },
  }
}

function snapshotOf(state: CollectionState | undefined, readAt: number): Snapshot {
  return {
    state,
    kind: isCodeless(state) ? 'nocode' : 'page',
    isDue: isDue(state),
    version: state?.version ?? 0n,
    report: reportCollection(state, readAt),
  }
}

/**
 * A codeless address that is queued for another check counts as codeless until a contract is found, which has a first
 * block.
 */
export function isCodeless(state: CollectionState | undefined): boolean {
  return (
    state?.status === 'nocode' || (state?.status === 'queued' && state.checkedAt !== null && state.fromBlock === null)
  )
}

function isDue(state: CollectionState | undefined): boolean {
  return !state || (state.lookAgainAt !== null && Date.now() >= state.lookAgainAt)
}
