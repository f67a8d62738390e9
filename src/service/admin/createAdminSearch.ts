import type { AdminSearch } from '../../api/admin/search.ts'
import { searchCoins } from '../../coin/pages/searchCoins.ts'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/database.ts'
import type { Found } from '../../db/searchWithin.ts'
import { searchCollections } from '../../nft/pages/collections/searchCollections.ts'
import { searchTokens } from '../../nft/pages/collections/searchTokens.ts'
import { searchStreams } from '../../stream/definition/searchStreams.ts'
import { BadRequestError, NotFoundError } from '../../util/errors.ts'
import { quantity } from '../../util/hex.ts'
import { findChain, readChainNames } from '../findChain.ts'

/** Time limit of the search for each kind of results, and of each of its statements, in milliseconds. */
const searchMs = 1_000

export function createAdminSearch({ config, db }: { config: Config; db: Database }): AdminSearch {
  /** undefined: no chain has this name, so the search finds nothing on it. */
  const chainIdOf = (text: string) =>
    findChain({ db, config }, text).then(
      ({ id }) => id,
      (error: unknown) => {
        if (error instanceof NotFoundError || error instanceof BadRequestError) return undefined
        throw error
      },
    )

  return async (text, limit, { streams: withStreams }) => {
    const nameOf = await readChainNames({ db, config })
    const options = { text, limit, ms: searchMs }
    const chainOf = (id: bigint) => ({ chain: nameOf(id), chainId: quantity(id) })
    // One after another: a search uses one connection.
    const collections = await searchCollections(db, options)
    const tokens = await searchTokens(db, { ...options, chainIdOf })
    const coins = await searchCoins(db, options)
    const streams = withStreams ? await searchStreams(db, options) : { items: [], more: false, cutShort: false }
    return {
      collections: shown(collections, ({ chainId, tokens, ...rest }) => ({
        ...chainOf(chainId),
        ...rest,
        tokens: String(tokens),
      })),
      tokens: shown(tokens, ({ chainId, ...rest }) => ({ ...chainOf(chainId), ...rest })),
      coins: shown(coins, (coin) => coin),
      streams: shown(streams, ({ chainIds, ...rest }) => ({ ...rest, chains: chainIds.map(nameOf) })),
    }
  }
}

function shown<Item, Shown>({ items, more, cutShort }: Found<Item>, show: (item: Item) => Shown) {
  return { result: items.map(show), more, cutShort }
}
