import type { AdminCollections } from '../../api/admin/collections.ts'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/database.ts'
import { type CollectionPlace, countCollections, listCollections } from '../../nft/pages/collections/collectionList.ts'
import { keepByCost } from '../../nft/pages/collections/keepByCost.ts'
import { readRates } from '../../nft/store/readingRate.ts'
import { deleteCollection } from '../../nft/store/requeueCollections.ts'
import type { Address } from '../../util/hex.ts'
import { quantity } from '../../util/hex.ts'
import { findChain, findFilterChain, readChainNames } from '../findChain.ts'
import { collectionDetailReport, collectionReport, verdictReport } from './collectionReport.ts'
import { createDiscoveredList } from './listDiscovered.ts'
import { flagCollection, notIndexed, readCollection } from './oneCollection.ts'

/** Time limit of each count over the tokens of a collection, in milliseconds. */
const countMs = 2_000

/** Counts that are kept at most, for collections whose pages of the console are open. */
const mostKept = 1_000

export function createAdminCollections({ config, db }: { config: Config; db: Database }): AdminCollections {
  const kept = keepByCost({ most: mostKept })
  const chainOf = (text: string) => findChain({ db, config }, text)

  return {
    async list({ chain, status, search, after, limit }) {
      const nameOf = await readChainNames({ db, config })
      const filter = {
        chainId: chain === null ? null : (await findFilterChain({ db, config }, chain)).id,
        status,
        search,
      }
      const { collections, next } = await listCollections(db, {
        ...filter,
        limit,
        after: after === null ? null : placeOf(after),
      })
      const rates = await readRates(
        db,
        collections.map(({ state }) => state),
      )
      return {
        items: collections.map(({ chainId: id, address, state }) =>
          collectionReport({ chain: { id, name: nameOf(id) }, address, state }, rates.get(state.id)),
        ),
        total: await countCollections(db, filter),
        next: next && `${next.chainId} ${next.address}`,
      }
    },

    discovered: createDiscoveredList({ config, db }),

    async get({ chain: text, address }) {
      const chain = await chainOf(text)
      const found = await readCollection(db, { chainId: chain.id, address }, { countMs, kept })
      if (!found) throw notIndexed(chain, address, 'route')
      return collectionDetailReport({ chain, address, state: found.state }, found.detail)
    },

    async remove({ chain: text, address }, { reindex }) {
      const chain = await chainOf(text)
      const taken = await deleteCollection(db, { chainId: chain.id, address, requeue: reindex, held: false })
      if (!taken) throw notIndexed(chain, address, 'route')
      const chainId = quantity(chain.id)
      return { chain: chain.name, chainId, address, tokens: String(taken.tokens), queued: reindex }
    },

    async flag({ chain: text, address }, flags) {
      const chain = await chainOf(text)
      const verdict = await flagCollection(db, { chainId: chain.id, address }, flags)
      if (!verdict) throw notIndexed(chain, address, 'route')
      return { chainId: chain.id, verdict: verdictReport(verdict) }
    },
  }
}

function placeOf(text: string): CollectionPlace {
  const [chainId, address] = text.split(' ') as [string, Address]
  return { chainId: BigInt(chainId), address }
}
