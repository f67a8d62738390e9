import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { GuardedClient } from '../../../net/client.ts'
import { NotSentError } from '../../../net/outboundError.ts'
import { shownReason } from '../../../util/faults/shownReason.ts'
import { retryAfterOf } from '../../../util/http/retryAfter.ts'
import type { Outcome } from '../../ledger/attempt.ts'
import { withRetries } from '../../ledger/webhookBody.ts'
import { signWebhook } from '../../sign/signWebhook.ts'

import type { QueuedWebhook } from './loadWebhooks.ts'
import { retryDelay } from './retryDelay.ts'
import type { Target } from './target.ts'
import { withoutValues } from './withoutValues.ts'

export type AttemptResult = {
  at: Date
  ms: number
  outcome: Outcome
  /** After a 429: how long to send nothing to the address, in milliseconds. */
  pauseMs?: number
  /** After a 429 or 503 with Retry-After: how long not to send this webhook, in milliseconds. */
  retryAfterMs?: number | undefined
}

/** Milliseconds since 1970; tests set it. */
export type Clock = () => number

/**
 * One POST of a webhook to its target. `maySend` is checked again once the receiver's connection is open; undefined: it
 * returned false, and nothing was sent. Rejects only with the signal's reason: all other results are outcomes.
 */
export type MakeAttempt = (
  webhook: QueuedWebhook,
  target: Target,
  options: { maySend: () => boolean; signal: AbortSignal },
) => Promise<AttemptResult | undefined>

export type AttemptOptions = {
  client: Pick<GuardedClient, 'post'>
  clock: Clock
  random: () => number
  /** Returns the current secret of the legacy signature. */
  secretKey: () => string
  settings: { timeoutMs: number; retryDelaysMs: readonly number[]; postponeForMs: number }
}

/** Shortest pause of an address after a 429, in milliseconds. */
const pauseMs = 1_000

/** Compresses on a thread of Node's pool: a body of 5 MB would block the event loop for a tenth of a second. */
const compress = promisify(gzip)

export function createAttempt(options: AttemptOptions): MakeAttempt {
  const { client, clock, random, secretKey, settings } = options

  function failed(
    webhook: QueuedWebhook,
    failure: { error: string; code?: number; answer?: Buffer; retryAfterMs?: number | undefined },
  ): Outcome {
    const { retryAfterMs, ...rest } = failure
    const now = clock()
    const { ms, postponed } = retryDelay(webhook.failures - webhook.postponed, {
      delaysMs: settings.retryDelaysMs,
      retryAfterMs,
      sinceFirstMs: webhook.firstAt ? now - webhook.firstAt.getTime() : 0,
      postponeForMs: settings.postponeForMs,
      random: random(),
    })
    return { status: 'failed', ...rest, retryAt: ms === undefined ? undefined : new Date(now + ms), postponed }
  }

  return async (webhook, target, { maySend, signal }) => {
    const at = new Date(clock())
    const began = performance.now()
    try {
      const body = withRetries(webhook.body, webhook.failures)
      const signed = signWebhook({
        id: webhook.id,
        body,
        now: at.getTime(),
        keys: target.keys,
        secretKey: secretKey(),
      })
      const headers = target.headers ? { ...signed, ...target.headers } : signed
      if (webhook.parts > 1) {
        headers['webhook-part'] = String(webhook.part)
        headers['webhook-parts'] = String(webhook.parts)
      }
      if (target.gzip) headers['content-encoding'] = 'gzip'
      const sent = target.gzip ? await compress(body) : body
      const answer = await client.post(target.url, sent, headers, { signal, maySend, timeoutMs: settings.timeoutMs })
      const { status: code } = answer
      const bodyStart = target.headers ? withoutValues(answer.bodyStart, target.headers) : answer.bodyStart
      if (code >= 200 && code < 300)
        return { at, ms: answer.ms, outcome: { status: 'delivered', code, answer: bodyStart } }
      const requested = code === 429 || code === 503 ? retryAfterOf(answer.headers['retry-after'], clock()) : undefined
      const error = code >= 300 && code < 400 ? `answered ${code}, and redirects are not followed` : `answered ${code}`
      const outcome = failed(webhook, { error, code, answer: bodyStart, retryAfterMs: requested })
      return {
        at,
        ms: answer.ms,
        outcome,
        retryAfterMs: requested,
        ...(code === 429 && { pauseMs: Math.max(pauseMs, requested ?? 0) }),
      }
    } catch (error) {
      if (signal.aborted) throw error
      if (error instanceof NotSentError) return undefined
      return { at, ms: performance.now() - began, outcome: failed(webhook, { error: shownReason(error) }) }
    }
  }
}
