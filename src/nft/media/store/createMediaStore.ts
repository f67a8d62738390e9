import { join } from 'node:path'
import type { Log } from '../../../log.ts'
import { createFileStore } from './createFileStore.ts'
import { createS3Store, type S3Settings } from './createS3Store.ts'
import type { MediaStore } from './mediaStore.ts'

/** The store that the configuration names. */
export function createMediaStore(options: {
  dataDir: string
  s3: S3Settings | null
  store: 'files' | 's3'
  maxStoredBytes: number | null
  log: Log
}): MediaStore {
  const { dataDir, s3, store, maxStoredBytes, log } = options
  return store === 's3' && s3
    ? createS3Store(s3)
    : createFileStore({ folder: join(dataDir, 'media'), maxBytes: maxStoredBytes, log })
}
