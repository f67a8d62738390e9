import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

const unpack = promisify(gunzip)

/**
 * Bytes that may be gzip without being declared as such, unpacked once. Bytes of any other kind come back as they are. `fault`: the content
 * is broken, or unpacks to more than `maxBytes`; no more than that is ever held. The work is done on a thread of its own.
 */
export async function unpackGzip(
  bytes: Uint8Array,
  maxBytes: number,
): Promise<{ bytes: Uint8Array } | { fault: string }> {
  if (!isGzip(bytes)) return { bytes }
  try {
    return { bytes: await unpack(bytes, { maxOutputLength: maxBytes }) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ERR_BUFFER_TOO_LARGE') return { fault: `gzip that unpacks to more than ${maxBytes} bytes` }
    if (/^Z_(?:DATA|BUF)_ERROR$|^Z_NEED_DICT$/.test(code)) return { fault: 'broken gzip' }
    throw error
  }
}

/** Whether bytes begin as a gzip file with its one method of compression does (RFC 1952). */
function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8
}
