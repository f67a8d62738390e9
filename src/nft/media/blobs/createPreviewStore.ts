import { join } from 'node:path'
import type { Log } from '../../../util/log.ts'
import { createFileStore } from './createFileStore.ts'
import { createS3Store, type S3Settings } from './createS3Store.ts'
import type { PreviewStore } from './previewStore.ts'

/** The configured store. */
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

/** A store in which a truncated preview counts as missing, so that it is created again. */
function wholeOnly(store: PreviewStore): PreviewStore {
  return {
    ...store,
    async get(key) {
      const found = await store.get(key)
      return found && isWholeWebp(found.bytes) ? found : undefined
    },
  }
}

/** Whether all bytes exist: the header of a WebP has its length (RFC 9649, section 2.4). */
function isWholeWebp(bytes: Buffer): boolean {
  return bytes.length >= 12 && bytes.readUInt32LE(4) === bytes.length - 8
}
