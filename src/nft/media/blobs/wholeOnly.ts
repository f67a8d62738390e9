import type { PreviewStore } from './previewStore.ts'

/** A store that answers for a preview that was cut off, by hand or by a crash, as for one that is missing: it is made again. */
export function wholeOnly(store: PreviewStore): PreviewStore {
  return {
    ...store,
    async get(key) {
      const found = await store.get(key)
      return found && isWholeWebp(found.bytes) ? found : undefined
    },
  }
}

/** The container's header gives the length of all that follows (RFC 9649, section 2.4). */
function isWholeWebp(bytes: Buffer): boolean {
  return bytes.length >= 12 && bytes.readUInt32LE(4) === bytes.length - 8
}
