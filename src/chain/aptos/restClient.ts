import { Agent, buildConnector, type Dispatcher, request } from 'undici'
import { type ByteBudget, createByteBudget } from '../../util/byteBudget.ts'
import { parseRetryAfter } from '../../util/http/retryAfter.ts'
import { skipInterim } from '../../util/http/skipInterim.ts'
import { jsonNesting } from '../../util/jsonNesting.ts'
import type { Log } from '../../util/log.ts'
import { createStopwatch } from '../../util/stopwatch.ts'
import { joinUrl } from '../../util/urls/endpointUrls.ts'
import { createMask } from '../../util/urls/secrets.ts'
import { basicAuthorization, secretsOfText, secretsOfUrl } from '../../util/urls/secretsOfUrl.ts'
import { sleep } from '../../util/wait.ts'
import { AptosAnswerError, AptosRateLimitedError, AptosRejectedError, AptosUnavailableError } from './aptosError.ts'
import { readDigits } from './parseRest.ts'

/** The node rejected a request with a status that has no error class of its own. */
export class RestStatusError extends AptosUnavailableError {
  readonly status: number
  /** The node's error code: `version_pruned`, `invalid_input`; undefined if it has none. */
  readonly errorCode: string | undefined
  /** The head of the node that rejected the request; undefined if it reports none. */
  readonly head: bigint | undefined

  constructor(message: string, options: { status: number; errorCode: string | undefined; head: bigint | undefined }) {
    super(message)
    this.status = options.status
    this.errorCode = options.errorCode
    this.head = options.head
  }
}

/** The node has nothing at this path. */
export class RestNotFoundError extends AptosRejectedError {
  /** The node's error code: `resource_not_found`, `account_not_found`; undefined if it has none. */
  readonly errorCode: string | undefined

  constructor(message: string, errorCode: string | undefined) {
    super(message)
    this.errorCode = errorCode
  }
}

export type RestAnswer = { headers: Dispatcher.ResponseData['headers']; body: unknown }

export type RestClient = {
  /** The JSON at `path` below the base URL; the path may have a query. Throws an AptosError. */
  get(path: string, signal: AbortSignal): Promise<RestAnswer>
  close(): Promise<void>
}

/** Most bytes of one response; a page of 100 transactions has less than a megabyte, genesis a few. */
const maxBytes = 64 * 1024 * 1024

/** Time limit of a whole response, as a multiple of the timeout for each part. */
const timesWait = 3

/** Longest Retry-After that is obeyed. */
const longestRetryAfterMs = 300_000

/** Reads a fullnode's REST API. While the node requests a wait, all users of this client wait. */
export function createRestClient(options: {
  /** Such as https://node.example/v1; its query, user and password are sent with every request. */
  base: string
  token: string | undefined
  /** Longest wait for each part of a response. */
  timeoutMs: number
  budget?: ByteBudget
  log: Log
}): RestClient {
  const { base, token, timeoutMs, log } = options
  const budget = (options.budget ?? createByteBudget(maxBytes)).share()
  const { host } = new URL(base)
  const mask = createMask([...secretsOfUrl(base), ...secretsOfText(token ?? '')])
  const agent = new Agent({
    connections: 16,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: skipInterim(buildConnector({ timeout: timeoutMs })),
    maxResponseSize: maxBytes,
  })
  const authorization = basicAuthorization(new URL(base)) ?? (token === undefined ? undefined : `Bearer ${token}`)
  const headers = { accept: 'application/json', ...(authorization === undefined ? {} : { authorization }) }
  let quietUntil = 0

  async function fetch(
    path: string,
    signal: AbortSignal,
  ): Promise<{ status: number; headers: RestAnswer['headers']; text: string }> {
    const holder = budget.open()
    const stop = new AbortController()
    const abort = () => stop.abort()
    signal.addEventListener('abort', abort, { once: true })
    // Otherwise a slow response would hold its part of the budget forever.
    const timer = createStopwatch(timesWait * timeoutMs, abort)
    try {
      signal.throwIfAborted()
      timer.goOn()
      const response = await request(joinUrl(base, path), { dispatcher: agent, headers, signal: stop.signal })
      const chunks: Buffer[] = []
      for await (const chunk of response.body as AsyncIterable<Buffer>) {
        const held = holder.take(chunk.length, stop.signal)
        if (held) {
          timer.pause()
          await held
          timer.goOn()
        }
        chunks.push(chunk)
      }
      return { status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString('utf8') }
    } catch (cause) {
      signal.throwIfAborted()
      throw new AptosUnavailableError(`${host} does not answer`, { cause })
    } finally {
      timer.pause()
      holder.close()
      signal.removeEventListener('abort', abort)
    }
  }

  return {
    async get(path, signal) {
      for (let wait = quietUntil - Date.now(); wait > 0; wait = quietUntil - Date.now()) {
        await sleep(wait, signal)
        signal.throwIfAborted()
      }
      const { status, headers: given, text } = await fetch(path, signal)
      const body = parseJson(text)
      if (status === 200) {
        if (body === undefined) throw new AptosAnswerError(`${host} returned no JSON (${text.length} characters)`)
        return { headers: given, body }
      }
      const { message, error_code } = (body ?? {}) as { message?: unknown; error_code?: unknown }
      const why = `${host} answered ${status}${typeof message === 'string' ? `: ${mask(message).slice(0, 300)}` : ''}`
      if (status === 429 || status === 503) {
        const retryAfterMs = parseRetryAfter(given['retry-after'], { longestMs: longestRetryAfterMs })
        if (retryAfterMs !== undefined) quietUntil = Math.max(quietUntil, Date.now() + retryAfterMs)
        log.debug({ endpoint: host, status, retryAfterMs }, 'aptos request rate limited')
        if (status === 429) throw new AptosRateLimitedError(why, { retryAfterMs })
      }
      if (status === 401 || status === 403) throw new AptosRejectedError(why)
      const errorCode = typeof error_code === 'string' ? error_code : undefined
      if (status === 404) throw new RestNotFoundError(why, errorCode)
      throw new RestStatusError(why, { status, errorCode, head: readDigits(given['x-aptos-ledger-version']) })
    },
    close: () => agent.destroy(),
  }
}

/** Deeper than the resources of any contract. Parsing a text of nothing but brackets takes a second for 4 MB. */
const deepest = 512

function parseJson(text: string): unknown {
  if (jsonNesting(text, deepest).beyondAt !== undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
