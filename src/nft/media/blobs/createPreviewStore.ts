import { join } from 'node:path'
import type { Log } from '../../../log.ts'
import { createFileStore } from './createFileStore.ts'
import { createS3Store, type S3Settings } from './createS3Store.ts'
import type { PreviewStore } from './previewStore.ts'
import { wholeOnly } from './wholeOnly.ts'

/** The store that the configuration names. */
export function createPreviewStore(options: {
  dataDir: string
  s3: S3Settings | null
  store: 'files' | 's3'
  maxStoredBytes: number | null
  log: Log
}): PreviewStore {
  const { dataDir, s3, store, maxStoredBytes, log } = options
  const folder = join(dataDir, 'media')
  return wholeOnly(
    store === 's3' && s3 ? createS3Store(s3) : createFileStore({ folder, maxBytes: maxStoredBytes, log }),
  )
}
