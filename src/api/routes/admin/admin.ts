import type { AdminRoutesOptions } from '../../admin/admin.ts'
import type { Route } from '../../http/route.ts'
import { adminChainRoutes } from './adminChains.ts'
import { adminCollectionRoutes } from './adminCollections.ts'
import { adminKeyRoutes } from './adminKeys.ts'
import { adminOverviewRoutes } from './adminOverview.ts'
import { adminSearchRoutes } from './adminSearch.ts'
import { adminStreamRoutes } from './adminStreams.ts'
import { adminWalletRoutes } from './adminWallets.ts'

/** The routes below `/admin`, for operators and the console, all with admin keys. */
export function adminRoutes(options: AdminRoutesOptions): Route[] {
  return [
    ...adminOverviewRoutes(options),
    ...adminChainRoutes(options),
    ...adminKeyRoutes(options),
    ...adminCollectionRoutes(options),
    ...adminWalletRoutes(options),
    ...adminStreamRoutes(options),
    ...adminSearchRoutes(options),
  ]
}
