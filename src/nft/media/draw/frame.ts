import { MintmarkError } from '../../../util/errors.ts'

/** One message between the server and a preview worker: a small JSON value and bytes. */
export type Frame<T> = { head: T; body: Buffer }

/** The other side sent no valid frame, or one longer than allowed. */
export class FrameError extends MintmarkError {
  readonly code = 'FRAME'
}

const prefixBytes = 8
const maxHeadBytes = 65_536

/** Lengths of head and body as two 32-bit numbers, the head, the body. */
export function encodeFrame(head: unknown, body: readonly Buffer[] = []): Buffer[] {
  const json = Buffer.from(JSON.stringify(head))
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32BE(json.length, 0)
  prefix.writeUInt32BE(
    body.reduce((sum, bytes) => sum + bytes.length, 0),
    4,
  )
  return [prefix, json, ...body]
}

/**
 * Assembles chunks of a stream into frames. A body above `maxBodyBytes` throws FrameError before any of it is buffered. Frames are lengths and JSON,
 * which even a compromised worker cannot abuse.
 */
export function createFrameReader<T>(maxBodyBytes: number): { push(chunk: Buffer): Frame<T>[] } {
  let chunks: Buffer[] = []
  let held = 0
  let needed = prefixBytes

  return {
    push(chunk) {
      chunks.push(chunk)
      held += chunk.length
      const frames: Frame<T>[] = []
      while (held >= needed) {
        const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, held)
        chunks = [all]
        const headBytes = all.readUInt32BE(0)
        const bodyBytes = all.readUInt32BE(4)
        if (headBytes > maxHeadBytes || bodyBytes > maxBodyBytes)
          throw new FrameError(
            `a frame of ${headBytes} and ${bodyBytes} bytes; allowed: ${maxHeadBytes} and ${maxBodyBytes}`,
          )
        needed = prefixBytes + headBytes + bodyBytes
        if (held < needed) break
        const head = parseHead<T>(all.subarray(prefixBytes, prefixBytes + headBytes))
        frames.push({ head, body: all.subarray(prefixBytes + headBytes, needed) })
        held -= needed
        chunks = held > 0 ? [all.subarray(needed)] : []
        needed = prefixBytes
      }
      return frames
    },
  }
}

function parseHead<T>(json: Buffer): T {
  try {
    return JSON.parse(json.toString('utf8')) as T
  } catch (cause) {
    throw new FrameError('the head of a frame is not JSON', { cause })
  }
}
