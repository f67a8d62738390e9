import type { Address } from '../../util/hex.ts'
import type { Cursors } from '../pages/cursor.ts'
import type { AdminChains } from './chains.ts'
import type { AdminCollections } from './collections.ts'
import type { AdminKeys } from './keys.ts'
import type { AdminOverview } from './overview.ts'
import type { AdminSearch } from './search.ts'
import type { StreamTrials } from './streamTrials.ts'
import type { AdminWallets } from './wallets.ts'

/**
 * Port from the admin routes to the service. Each subject has a file beside this one, with its port and the schemas of
 * its answers.
 */
export type Admin = {
  chains: AdminChains
  keys: AdminKeys
  collections: AdminCollections
  wallets: AdminWallets
  overview: AdminOverview
  search: AdminSearch
  streams: StreamTrials
}

/** `admin` is read at each request, so the table of routes can be built without a service. */
export type AdminRoutesOptions = {
  admin: Admin
  cursors: () => Promise<Cursors>
  /** Discards the cached state of a collection that an operator changed, so that no later response contains it. */
  forget(chainId: bigint, address: Address): void
}
