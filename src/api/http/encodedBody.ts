import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Encoding } from './negotiate.ts'

/** Bodies below this are sent as they are: a packet holds them anyway. */
export const minCompressedBytes = 1_024

/** A body and its compressed forms, each made on first need and in memory of its own, as bodies are kept. */
export type EncodedBody = {
  readonly identity: Buffer
  br: Buffer | undefined
  gzip: Buffer | undefined
  pending: Partial<Record<Encoding, Promise<Buffer>>>
}

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

/** Brotli at 1 and gzip at 6 give a page of 100 records the same size; brotli in a quarter of the time. */
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

/** The encoding in which a body is sent to a client that prefers `encoding`: a short body stays as it is. */
export function encodingOf(body: EncodedBody, encoding: Encoding): Encoding {
  return body.identity.length < minCompressedBytes ? 'identity' : encoding
}

/** The body in an encoding, made once however many callers request it at once. */
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
 * A copy of the bytes in memory of its own, to be kept. Node puts short buffers, and zlib's output, into shared blocks of 64 kB (`Buffer.poolSize`),
 * and one buffer that is kept holds its whole block. Long ones have their own memory, and stay.
 */
export function ownMemory(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}
