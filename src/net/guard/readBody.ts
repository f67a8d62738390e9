import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { BadAnswerError, TooLargeError, UnwantedBodyError } from '../outboundError.ts'

/** Encodings that `readBody` can decode, for Accept-Encoding. */
export const acceptedEncodings = 'gzip, deflate, br, zstd'

/** A body that decompresses to more than this many times its size is rejected as a bomb after the first megabyte. */
const maxRatio = 250
const ratioFrom = 1_048_576

/** Bytes of a body that `wants` gets: about what a server sends at once, and enough to recognise any format. */
export const bodyStartBytes = 65_536

export type ReadBodyOptions = {
  body: Readable
  host: string
  /** The Content-Encoding header. */
  encoding: string | string[] | undefined
  contentLength: string | string[] | undefined
  /** After decoding. */
  maxBytes: number
  /** As in GetOptions. */
  wants?: ((start: Buffer, size: number | undefined) => boolean) | undefined
  onWireBytes(count: number): void
}

/**
 * The whole decoded body. Ends the connection and throws TooLargeError as soon as the body exceeds a limit, compressed or decoded, and
 * UnwantedBodyError if `wants` rejects its start. `wants` gets the start of a body even if it is announced as too large.
 */
export async function readBody(options: ReadBodyOptions): Promise<Buffer> {
  const { body, host, maxBytes, wants } = options
  const tooLarge = () => new TooLargeError({ host, what: 'body', limit: maxBytes })
  const coding = codingOf(options.encoding)
  const announcedTooLarge = Number(options.contentLength) > maxBytes
  if ((announcedTooLarge && !wants) || !coding) {
    body.on('error', ignore).destroy()
    throw coding ? tooLarge() : new BadAnswerError({ host, detail: 'in an encoding that was not requested' })
  }

  let wire = 0
  async function* counted(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      wire += chunk.length
      options.onWireBytes(chunk.length)
      // Counted separately from the decoded bytes, as compressed bytes may decode to nothing.
      if (wire > maxBytes) throw tooLarge()
      yield chunk
    }
  }

  const chunks: Buffer[] = []
  let size = 0
  let started = false
  function judgeStart(): void {
    started = true
    const start = Buffer.concat(chunks, size).subarray(0, bodyStartBytes)
    // The length of a compressed body is its compressed size.
    const length = coding === 'identity' ? Number(options.contentLength) : Number.NaN
    const announced = Number.isSafeInteger(length) ? length : undefined
    if (wants?.(start, announced) === false) throw new UnwantedBodyError({ host, start, size: announced })
    if (announcedTooLarge) throw tooLarge()
  }

  async function collect(source: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of source) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge()
      if (size > ratioFrom && size > wire * maxRatio) throw new TooLargeError({ host, what: 'ratio', limit: maxRatio })
      chunks.push(chunk)
      if (wants && !started && size >= bodyStartBytes) judgeStart()
    }
  }

  if (coding === 'identity') await collect(counted(body))
  else await decode(counted(body), coding, collect)
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)
}

async function decode(
  packed: AsyncGenerator<Buffer>,
  coding: Coding,
  collect: (source: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const first = await packed.next()
  if (first.done) return
  async function* all(): AsyncGenerator<Buffer> {
    yield first.value as Buffer
    yield* packed
  }
  await pipeline(all, decoderOf(coding, first.value), collect)
}

type Coding = 'identity' | 'gzip' | 'deflate' | 'br' | 'zstd'

const codings: Readonly<Record<string, Coding>> = {
  '': 'identity',
  identity: 'identity',
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
  zstd: 'zstd',
}

/** The single encoding of a body; undefined for several nested ones, which only an attacker would use. */
function codingOf(header: string | string[] | undefined): Coding | undefined {
  const text = String(header ?? '')
    .toLowerCase()
    .trim()
  return Object.hasOwn(codings, text) ? codings[text] : undefined
}

function decoderOf(coding: Coding, first: Buffer): Transform {
  if (coding === 'br') return createBrotliDecompress()
  // RFC 9659: a window of at most 8 MB, as the format would let the sender demand 128 MB of memory.
  if (coding === 'zstd') return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } })
  // "deflate" means zlib's format, but some servers send raw deflate; the first byte shows which.
  if (coding === 'deflate') return (first[0]! & 0x0f) === 8 ? createInflate() : createInflateRaw()
  return createGunzip()
}

/** Ignores the error of a destroyed body, which no caller awaits. */
function ignore(): void {}
