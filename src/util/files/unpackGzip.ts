import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const unpack = promisify(gunzip)

/**
 * Decompresses bytes that may be undeclared gzip, once. Other bytes are returned unchanged. `fault`: the content is damaged, or exceeds `maxBytes`
 * decompressed (`isTooLarge`); no more than that is ever held. The work runs in a separate thread.
 */
export async function unpackGzip(
  bytes: Uint8Array,
  maxBytes: number,
): Promise<{ bytes: Uint8Array } | { fault: string; isTooLarge: boolean }> {
  if (!isGzip(bytes)) return { bytes }
  try {
    return { bytes: await unpack(bytes, { maxOutputLength: maxBytes }) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ERR_BUFFER_TOO_LARGE')
      return { fault: `gzip that unpacks to more than ${maxBytes} bytes`, isTooLarge: true }
    if (/^Z_(?:DATA|BUF)_ERROR$|^Z_NEED_DICT$/.test(code)) return { fault: 'broken gzip', isTooLarge: false }
    throw error
  }
}

/** Whether bytes begin like a gzip file with its only compression method (RFC 1952). */
function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8
}
