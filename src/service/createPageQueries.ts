import type { NftQueries } from '../api/createApi.ts'
import { createCoinQuery } from '../coin/pages/createCoinQuery.ts'
import type { CoinQuery } from '../coin/query.ts'
import type { Database, Sql } from '../db/database.ts'
import type { Pipeline } from '../db/pipeline/pipeline.ts'
import { createBlockHashes } from '../nft/blocks/createBlockHashes.ts'
import { createPageTimes } from '../nft/blocks/createBlockTimes.ts'
import { createAsOfQuery } from '../nft/pages/createAsOfQuery.ts'
import { createChangeQuery } from '../nft/pages/createChangeQuery.ts'
import { createNftQuery } from '../nft/pages/createNftQuery.ts'
import { createHolderQuery } from '../nft/pages/holders/createHolderQuery.ts'
import { createOriginQuery } from '../nft/pages/origins/createOriginQuery.ts'
import { createTransferQuery } from '../nft/pages/transfers/createTransferQuery.ts'
import { createWalletQuery } from '../nft/pages/wallets/createWalletQuery.ts'
import { createWholeQuery } from '../nft/pages/wallets/createWholeQuery.ts'
import type { WholeState } from '../nft/walletQuery.ts'
import type { HeadAge } from '../sync/headAge.ts'
import type { OpenChains } from '../sync/openChains.ts'

/** The queries of pages, all on one database, so that states and rows of an answer agree. */
export type PageQueries = {
  nft: NftQueries
  coin: CoinQuery
}

export type PageQueriesOptions = {
  db: Database
  /** Connections for reads that may take longer than a request; default: `db`. */
  background?: Database
  reader: Pipeline
  /** Reads the states that cached pages depend on. */
  lookups: Sql
  /** The primary, for writes of page requests, if `db` is a replica. */
  primary?: Database
  /** Lag of `db`'s clock behind that of the primary, which determines when heads were confirmed. */
  clockBehindMs?: () => number
  openChains: OpenChains
  publicUrl: () => string
  refreshAfterMs: number | null
}

export function createPageQueries(options: PageQueriesOptions): PageQueries {
  const { db, background, reader, lookups, primary, clockBehindMs = () => 0, openChains, refreshAfterMs } = options
  const query = createNftQuery(options)
  const blockHashes = createBlockHashes({ openChains })
  const times = createPageTimes({ db: primary ?? db, openChains })
  const whole = createWholeQuery({ db, reader, primary, blockHashes, openChains, times, refreshAfterMs })
  const wallets = createWalletQuery({ db, reader, refreshAfterMs })
  const coin = createCoinQuery({ db: reader, lookups })

  /** A state with the age of its head by the primary's clock. */
  function aged<T extends { head: HeadAge | null }>(state: T): T {
    const { head } = state
    return head === null ? state : { ...state, head: { ...head, ageMs: head.ageMs + clockBehindMs() } }
  }
  const agedWhereKnown = <T extends { head: HeadAge | null }>(state: T | undefined) => state && aged(state)
  const agedPage = <P extends { state: WholeState | undefined }>(page: P): P => ({
    ...page,
    state: agedWhereKnown(page.state),
  })

  return {
    nft: {
      query: {
        ...query,
        state: async (chainId, address) => agedWhereKnown(await query.state(chainId, address)),
        async states(chainId, addresses) {
          const states = await query.states(chainId, addresses)
          return new Map(Array.from(states, ([address, state]) => [address, aged(state)]))
        },
      },
      wallets: { ...wallets, state: async (chainId) => aged(await wallets.state(chainId)) },
      whole: {
        ...whole,
        state: async (chainId, wallet) => agedWhereKnown(await whole.state(chainId, wallet)),
        tokens: async (filter, after, form) => agedPage(await whole.tokens(filter, after, form)),
        collections: async (filter, after, form) => agedPage(await whole.collections(filter, after, form)),
      },
      asOf: createAsOfQuery({ ...options, blockHashes }),
      transfers: createTransferQuery({ db, primary, reader, openChains, times }),
      holders: createHolderQuery({ db, background, primary }),
      origins: createOriginQuery({ db, reader, primary, openChains, times }),
      changes: createChangeQuery({ db, primary }),
    },
    coin: { ...coin, network: async (name) => agedWhereKnown(await coin.network(name)) },
  }
}
