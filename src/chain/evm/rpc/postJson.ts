import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Pool } from 'undici'
import { errorCode } from '../../../errors.ts'
import type { ByteBudget } from '../../../util/byteBudget.ts'
import { connectionWords } from '../../../util/faults/connectionWords.ts'
import { jsonNesting } from '../../../util/jsonNesting.ts'
import { parseRetryAfter } from '../../../util/retryAfter.ts'
import { createStopwatch } from '../../../util/stopwatch.ts'
import type { AnswerBounds } from './answerBounds.ts'

export type PostOptions = {
  pool: Pool
  path: string
  headers: Record<string, string>
  body: string
  /** For the whole exchange, in milliseconds, without the time for which it waits for room in the budget. */
  timeoutMs: number
  bounds: AnswerBounds
  /** What all answers under way may hold together. */
  budget: ByteBudget
  signal?: AbortSignal | undefined
}

/** What came back from one exchange. `json` is undefined where the body is not JSON. */
export type Reply =
  | { kind: 'reply'; status: number; retryAfterMs: number | undefined; json: unknown }
  | { kind: 'timeout' }
  | { kind: 'too_large' }
  /** Nested so deep, or of so many arrays and objects, that parsing it would hold up everything else. */
  | { kind: 'too_nested' }
  /** `refused`: no connection could be made; false where one was made and then cut. */
  | { kind: 'unreachable'; refused: boolean; words: string; cause: unknown }

/** Longest time for which a node's Retry-After is obeyed. */
const longestRetryAfterMs = 300_000

const refusals = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Packed answers are bounded as packed bytes times this: real ones reach 30, a bomb 1,000. */
const mostRatio = 64
/** An answer up to this size may be packed as small as can be: calldata of zeros is. */
const anyRatioBytes = 16 * 1_048_576

/** An answer has this many bytes at least for each array and object; a log has 300. Without the bound 4 MB take a second to parse. */
const bytesPerContainer = 24
const anyContainers = 10_000

/** POSTs JSON and reads JSON, bounded in time and bytes. Rejects only with the signal's reason. */
export async function postJson(options: PostOptions): Promise<Reply> {
  const { pool, path, headers, body, timeoutMs, bounds, budget, signal } = options
  signal?.throwIfAborted()
  const stop = new AbortController()
  const timer = createStopwatch(timeoutMs, () => stop.abort())
  const abort = () => stop.abort()
  signal?.addEventListener('abort', abort, { once: true })
  const holder = budget.open()
  /** Waits for room for so many bytes more. */
  const take = async (bytes: number) => {
    const room = holder.take(bytes, stop.signal)
    if (!room) return
    timer.pause()
    await room
    timer.goOn()
  }
  try {
    timer.goOn()
    const response = await pool.request({ method: 'POST', path, headers, body, signal: stop.signal })
    const text = await readText(response.body, {
      isPacked: response.headers['content-encoding'] === 'gzip',
      most: bounds.bytes,
      take,
    })
    if (text === undefined) return { kind: 'too_large' }
    const containers = anyContainers + text.length / bytesPerContainer
    if (jsonNesting(text, bounds.nesting, containers).beyondAt !== undefined) return { kind: 'too_nested' }
    const retryAfterMs = parseRetryAfter(response.headers['retry-after'], { longestMs: longestRetryAfterMs })
    return { kind: 'reply', status: response.statusCode, retryAfterMs, json: parse(text) }
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    if (timer.isOver()) return { kind: 'timeout' }
    const code = errorCode(cause)
    const words = code === undefined ? 'no answer' : `no answer: ${connectionWords(code)}`
    return { kind: 'unreachable', refused: refusals.has(code ?? ''), words, cause }
  } finally {
    timer.pause()
    holder.close()
    signal?.removeEventListener('abort', abort)
  }
}

/** The text of a body; undefined where it is longer than allowed. `take` is called before bytes are kept. */
async function readText(
  body: Readable,
  options: { isPacked: boolean; most: number; take(bytes: number): Promise<void> },
): Promise<string | undefined> {
  const { isPacked, most, take } = options
  let packed = 0
  async function* counted(source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      packed += chunk.length
      yield chunk
    }
  }
  const plain = isPacked
    ? // Its faults are those of the stream that is read below.
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
  return (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON is an answer too: the caller judges it by its status.
    return undefined
  }
}
