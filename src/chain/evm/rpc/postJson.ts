import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Pool } from 'undici'
import { errorCode } from '../../../errors.ts'
import { connectionWords } from '../../../util/faults/connectionWords.ts'
import { parseRetryAfter } from '../../../util/retryAfter.ts'

export type PostOptions = {
  pool: Pool
  path: string
  headers: Record<string, string>
  body: string
  /** For the whole exchange, in milliseconds. */
  timeoutMs: number
  maxBytes: number
  signal?: AbortSignal | undefined
}

/** What came back from one exchange. `json` is undefined where the body is not JSON. */
export type Reply =
  | { kind: 'reply'; status: number; retryAfterMs: number | undefined; json: unknown }
  | { kind: 'timeout' }
  | { kind: 'too_large' }
  /** `refused`: no connection could be made; false where one was made and then cut. */
  | { kind: 'unreachable'; refused: boolean; words: string; cause: unknown }

/** Longest time for which a node's Retry-After is obeyed. */
const longestRetryAfterMs = 300_000

const inflate = promisify(gunzip)
const refusals = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** POSTs JSON and reads JSON, bounded in time and bytes. Rejects only with the signal's reason. */
export async function postJson(options: PostOptions): Promise<Reply> {
  const { pool, path, headers, body, timeoutMs, maxBytes, signal } = options
  signal?.throwIfAborted()
  const stop = new AbortController()
  let late = false
  const timer = setTimeout(() => {
    late = true
    stop.abort()
  }, timeoutMs)
  const abort = () => stop.abort()
  signal?.addEventListener('abort', abort, { once: true })
  try {
    const response = await pool.request({ method: 'POST', path, headers, body, signal: stop.signal })
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) return { kind: 'too_large' }
      chunks.push(chunk)
    }
    let bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)
    if (response.headers['content-encoding'] === 'gzip') {
      const plain = await inflateBounded(bytes, maxBytes)
      if (!plain) return { kind: 'too_large' }
      bytes = plain
    }
    const retryAfterMs = parseRetryAfter(response.headers['retry-after'], { longestMs: longestRetryAfterMs })
    return { kind: 'reply', status: response.statusCode, retryAfterMs, json: parse(bytes) }
  } catch (cause) {
    if (signal?.aborted) throw signal.reason
    if (late) return { kind: 'timeout' }
    const code = errorCode(cause)
    const words = code === undefined ? 'no answer' : `no answer: ${connectionWords(code)}`
    return { kind: 'unreachable', refused: refusals.has(code ?? ''), words, cause }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

async function inflateBounded(bytes: Buffer, maxOutputLength: number): Promise<Buffer | undefined> {
  try {
    return await inflate(bytes, { maxOutputLength })
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return undefined
    throw cause
  }
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    // Not JSON is an answer too: the caller judges it by its status.
    return undefined
  }
}
