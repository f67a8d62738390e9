import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import type { NftFiles } from '../nft/fileQuery.ts'
import { createMadeFiles, type MadeFiles } from '../nft/files/createMadeFiles.ts'
import { createNftFiles } from '../nft/files/createNftFiles.ts'
import type { NftQuery } from '../nft/query.ts'
import type { TransferQuery } from '../nft/transferQuery.ts'
import type { Log } from '../util/log.ts'

/** Snapshots and exports, in `files` below the data folder. The signal stops their creation. */
export function openFiles(options: {
  config: Pick<Config, 'dataDir' | 'files'>
  db: Database
  /** For whole collections: its statements have no time limit. */
  background: Database
  query: NftQuery
  transfers: TransferQuery
  /** Called with disk errors. */
  onError: (error: unknown) => void
  log: Log
  signal: AbortSignal
}): NftFiles & Pick<MadeFiles, 'keepReserve' | 'close'> {
  const { config, db, background, query, transfers, ...common } = options
  const { maxStoredBytes: maxBytes, atOnce } = config.files
  const files = createMadeFiles({ folder: join(config.dataDir, 'files'), maxBytes, atOnce, ...common })
  const nftFiles = createNftFiles({ db, background, query, transfers, files, maxBytes, signal: options.signal })
  return {
    ...nftFiles,
    keepReserve: files.keepReserve,
    async close() {
      await Promise.all([nftFiles.close(), files.close()])
    },
  }
}
