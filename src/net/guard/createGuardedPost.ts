import type { Dispatcher } from 'undici'
import type { IncomingHttpHeaders } from 'undici/types/header.js'
import type { PostAnswer, PostOptions } from '../client.ts'
import { NotSentError, TimeoutError } from '../outboundError.ts'
import { checkUrl } from './checkUrl.ts'
import { type Meter, outcomeOf } from './meter.ts'
import type { GuardedSettings } from './outboundSettings.ts'
import type { Pools } from './pools.ts'
import { type Limits, transportError } from './transportError.ts'

export type GuardedPostOptions = { settings: GuardedSettings; pools: Pools; meter: Meter }

/** Most kept bytes of an answer, and their time limit after its status, in milliseconds. */
const kept = 1_024
const bodyMs = 1_000
/** An answer with a declared length up to this is read to its end after it was returned, so that its connection can be reused. */
const worthKeeping = 65_536

const nothing = Buffer.alloc(0)

/**
 * `post` of the guarded client, over undici's handlers: its promises and streams would halve the rate. Only the status counts, so an endless, slow or
 * truncated body is not an error.
 */
export function createGuardedPost({ settings, pools, meter }: GuardedPostOptions) {
  return (
    url: string | URL,
    body: string | Uint8Array,
    headers: Record<string, string>,
    options: PostOptions = {},
  ): Promise<PostAnswer> => {
    const began = performance.now()
    const { signal } = options
    const total = options.timeoutMs ?? settings.timeoutMs
    meter.begin()
    return new Promise((resolve, reject) => {
      let controller: Dispatcher.DispatchController | undefined
      let status = 0
      let answerHeaders: IncomingHttpHeaders = {}
      let start = nothing
      let settled = false
      /** Why the request ended before it had a socket: until then undici cannot abort it. */
      let ended: Error | undefined

      const stop = (reason: Error) => {
        ended ??= reason
        controller?.abort(ended)
      }
      const settle = () => {
        settled = true
        signal?.removeEventListener('abort', abort)
      }
      const answer = () => {
        if (settled) return
        settle()
        const ms = performance.now() - began
        meter.end('ok', ms)
        resolve({ status, headers: answerHeaders, bodyStart: start, ms })
      }
      const fail = (error: unknown) => {
        clearTimeout(timer)
        if (settled) return
        settle()
        meter.end(signal?.aborted ? 'aborted' : outcomeOf(error), performance.now() - began)
        reject(error)
      }
      const abort = () => {
        if (status > 0) return enough()
        stop(signal?.reason instanceof Error ? signal.reason : new DOMException('aborted', 'AbortError'))
        fail(signal?.reason)
      }
      /** Returns the received part as the answer, and closes the connection. */
      const enough = () => {
        answer()
        stop(new DOMException('the rest is not needed', 'AbortError'))
      }
      let timer = setTimeout(() => {
        const error = new TimeoutError({ host: target?.host ?? '', phase: 'total', ms: total })
        stop(error)
        fail(error)
      }, total)
      let target: URL | undefined
      let limits: Limits

      try {
        signal?.throwIfAborted()
        target = checkUrl(url)
        limits = { connect: settings.connectTimeoutMs, idle: settings.idleTimeoutMs, total }
        signal?.addEventListener('abort', abort, { once: true })
        pools.of(target.origin).dispatch(
          {
            method: 'POST',
            path: target.pathname + target.search,
            headers,
            body,
            headersTimeout: 0,
            bodyTimeout: 0,
          },
          {
            onRequestStart(given) {
              controller = given
              if (options.maySend?.() === false)
                ended ??= new NotSentError('the request was taken back before it was sent')
              if (ended) given.abort(ended)
            },
            onResponseStart(_, code, fields) {
              if (code < 200) return
              status = code
              answerHeaders = fields
              clearTimeout(timer)
              timer = setTimeout(enough, bodyMs)
            },
            onResponseData(_, chunk) {
              meter.bytes(chunk.length)
              if (start.length < kept) start = Buffer.concat([start, chunk.subarray(0, kept - start.length)])
              if (start.length < kept) return
              if (Number(answerHeaders['content-length']) <= worthKeeping) answer()
              else enough()
            },
            onResponseEnd() {
              clearTimeout(timer)
              answer()
            },
            onResponseError(_, cause) {
              if (status > 0) answer()
              fail(ended ?? transportError(cause, target?.host ?? '', limits))
            },
          },
        )
      } catch (error) {
        fail(error)
      }
    })
  }
}
