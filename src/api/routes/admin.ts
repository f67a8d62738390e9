import type { Admin } from '../admin/admin.ts'
import type { Cursors } from '../pages/cursor.ts'
import type { Route } from '../http/route.ts'
import { adminChainRoutes } from './adminChains.ts'
import { adminCollectionRoutes } from './adminCollections.ts'
import { adminKeyRoutes } from './adminKeys.ts'
import { adminSearchRoutes } from './adminSearch.ts'
import { adminStreamRoutes } from './adminStreams.ts'

/** `admin` is read when a request comes, so that the table of routes can be made without a service. */
export type AdminRoutesOptions = { admin: Admin; cursors: () => Promise<Cursors> }

/** What an operator and the console do beside the operations of clients, all with admin keys. */
export function adminRoutes(options: AdminRoutesOptions): Route[] {
  return [
    ...adminChainRoutes(options),
    ...adminKeyRoutes(options),
    ...adminCollectionRoutes(options),
    ...adminStreamRoutes(options),
    ...adminSearchRoutes(options),
  ]
}
