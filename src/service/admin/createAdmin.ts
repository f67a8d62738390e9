import type { Admin } from '../../api/admin/admin.ts'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/database.ts'
import { createKey, readKeyPage, revokeKey } from '../../db/keys.ts'
import { type AdminChainsOptions, createAdminChains } from './createAdminChains.ts'
import { createAdminCollections } from './createAdminCollections.ts'
import { type AdminOverviewOptions, createAdminOverview } from './createAdminOverview.ts'
import { createAdminSearch } from './createAdminSearch.ts'
import { createAdminWallets } from './createAdminWallets.ts'
import { createStreamTrials, type StreamTrialsOptions } from './createStreamTrials.ts'

export type AdminOptions = {
  config: Config
  /** With a statement timeout, as a client waits. */
  db: Database
  chains: Omit<AdminChainsOptions, 'config' | 'db'>
  overview: Omit<AdminOverviewOptions, 'dataDir' | 'db'>
  streams: Omit<StreamTrialsOptions, 'db'>
}

/** Implements the admin routes with the functions of the commands. */
export function createAdmin({ config, db, chains, overview, streams }: AdminOptions): Admin {
  return {
    chains: createAdminChains({ config, db, ...chains }),
    keys: {
      list: (options) => readKeyPage(db, options),
      create: (options) => createKey(db, options),
      revoke: (id) => revokeKey(db, id),
    },
    collections: createAdminCollections({ config, db }),
    wallets: createAdminWallets({ config, db }),
    streams: createStreamTrials({ db, ...streams }),
    overview: createAdminOverview({ db, dataDir: config.dataDir, ...overview }),
    search: createAdminSearch({ config, db }),
  }
}
