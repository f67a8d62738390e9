import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Encoding } from './negotiate.ts'

/** Smaller bodies are not compressed: they fit into one packet. */
export const minCompressedBytes = 1_024

/** A body and its compressed forms. Each is made on first use, in its own memory, as bodies are cached. */
export type EncodedBody = {
  readonly identity: Buffer
  br: Buffer | undefined
  gzip: Buffer | undefined
  pending: Partial<Record<Encoding, Promise<Buffer>>>
}

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

/** For a page of 100 records, brotli 1 and gzip 6 have the same size, and brotli takes a quarter of the time. */
export function compress(body: Buffer, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
  return encoding === 'br'
    ? brotliAsync(body, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
      })
    : gzipAsync(body, { level: 6 })
}

export function createEncodedBody(
  identity: Buffer,
  encoded: Partial<Pick<EncodedBody, 'br' | 'gzip'>> = {},
): EncodedBody {
  return { identity: ownMemory(identity), br: encoded.br, gzip: encoded.gzip, pending: {} }
}

/** The encoding of a body for a client that prefers `encoding`: a short body is not compressed. */
export function encodingOf(body: EncodedBody, encoding: Encoding): Encoding {
  return body.identity.length < minCompressedBytes ? 'identity' : encoding
}

/** The body in an encoding. Concurrent callers share one compression. */
export async function encode(body: EncodedBody, encoding: Encoding): Promise<Buffer> {
  const ready = body[encoding]
  if (ready || encoding === 'identity') return ready ?? body.identity
  body.pending[encoding] ??= compress(body.identity, encoding).then(
    (made) => {
      const bytes = ownMemory(made)
      body[encoding] = bytes
      delete body.pending[encoding]
      return bytes
    },
    (error) => {
      delete body.pending[encoding]
      throw error
    },
  )
  return body.pending[encoding]
}

/**
 * Copies bytes that are cached into their own memory. Node allocates short buffers and zlib's output in shared blocks
 * of 64 kB (`Buffer.poolSize`), which a cached buffer would retain. Longer ones are not copied.
 */
export function ownMemory(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}
