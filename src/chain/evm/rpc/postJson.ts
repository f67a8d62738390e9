import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Pool } from 'undici'
import type { ByteBudget } from '../../../util/byteBudget.ts'
import { errorCode } from '../../../util/errors.ts'
import { connectionMessages } from '../../../util/faults/connectionMessages.ts'
import { parseRetryAfter } from '../../../util/http/retryAfter.ts'
import { createStopwatch } from '../../../util/stopwatch.ts'
import { ThreadError } from '../../../util/threads/threadPool.ts'
import type { AnswerBounds } from './answerBounds.ts'
import { type ParseElsewhere, parseJson } from './parseJson.ts'

export type PostOptions = {
  pool: Pool
  path: string
  headers: Record<string, string>
  body: string
  /** For the whole exchange, in milliseconds, without the wait for space in the budget. */
  timeoutMs: number
  bounds: AnswerBounds
  /** Byte budget of all responses in progress. */
  budget: ByteBudget
  signal?: AbortSignal | undefined
  parse?: ParseElsewhere | undefined
}

/** The response of one exchange. `json` is undefined if the body is not JSON. `parseMs`: time in another thread. */
export type Reply =
  | { kind: 'reply'; status: number; retryAfterMs: number | undefined; json: unknown; parseMs: number }
  | { kind: 'timeout' }
  | { kind: 'too_large' }
  /** Nested so deep, or of so many arrays and objects, that parsing it would block everything else. */
  | { kind: 'too_nested' }
  /** `rejected`: no connection was made; false if one was made and then broken. */
  | { kind: 'unreachable'; rejected: boolean; detail: string; cause: unknown }

/** Longest Retry-After that is obeyed. */
const longestRetryAfterMs = 300_000

const rejections = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Compressed responses are limited as compressed bytes times this: real ones reach 30, a bomb 1,000. */
const mostRatio = 64
/** A response up to this size may have any compression ratio: calldata of zeros has a high one. */
const anyRatioBytes = 16 * 1_048_576

/** POSTs JSON and reads JSON, limited in time and bytes. Rejects only with the signal's reason, or with a ThreadError of `parse`. */
export async function postJson(options: PostOptions): Promise<Reply> {
  const { pool, path, headers, body, timeoutMs, bounds, budget, signal } = options
  signal?.throwIfAborted()
  const stop = new AbortController()
  const timer = createStopwatch(timeoutMs, () => stop.abort())
  const abort = () => stop.abort()
  signal?.addEventListener('abort', abort, { once: true })
  const holder = budget.open()
  /** Waits for space for more bytes. */
  const take = async (bytes: number) => {
    const held = holder.take(bytes, stop.signal)
    if (!held) return
    timer.pause()
    await held
    timer.goOn()
  }
  try {
    timer.goOn()
    const response = await pool.request({ method: 'POST', path, headers, body, signal: stop.signal })
    const bytes = await readBytes(response.body, {
      isPacked: response.headers['content-encoding'] === 'gzip',
      most: bounds.bytes,
      take,
    })
    if (bytes === undefined) return { kind: 'too_large' }
    timer.pause()
    const answeredAt = performance.now()
    const elsewhere = options.parse?.(bytes, bounds.nesting, signal)
    const parsed = elsewhere ? await elsewhere : parseJson(bytes, bounds.nesting)
    const parseMs = elsewhere ? performance.now() - answeredAt : 0
    if (parsed === 'too_nested') return { kind: 'too_nested' }
    const retryAfterMs = parseRetryAfter(response.headers['retry-after'], { longestMs: longestRetryAfterMs })
    return { kind: 'reply', status: response.statusCode, retryAfterMs, json: parsed.json, parseMs }
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    if (cause instanceof ThreadError) throw cause
    if (timer.isOver()) return { kind: 'timeout' }
    const code = errorCode(cause)
    const detail = code === undefined ? 'no answer' : `no answer: ${connectionMessages(code)}`
    return { kind: 'unreachable', rejected: rejections.has(code ?? ''), detail, cause }
  } finally {
    timer.pause()
    holder.close()
    signal?.removeEventListener('abort', abort)
  }
}

/** The bytes of a body; undefined if it is longer than allowed. `take` is called before bytes are kept. */
async function readBytes(
  body: Readable,
  options: { isPacked: boolean; most: number; take(bytes: number): Promise<void> },
): Promise<Buffer | undefined> {
  const { isPacked, most, take } = options
  let packed = 0
  async function* counted(source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      packed += chunk.length
      yield chunk
    }
  }
  const plain = isPacked
    ? // Its errors are those of the stream that is read below.
      (pipeline(body, counted, createGunzip({ chunkSize: 65_536 }), () => undefined) as AsyncIterable<Buffer>)
    : (body as AsyncIterable<Buffer>)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of plain) {
    size += chunk.length
    if (size > most || (isPacked && size > Math.max(anyRatioBytes, packed * mostRatio))) return undefined
    await take(chunk.length)
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)
}
