import { setTimeout as delay } from 'node:timers/promises'
import { TooManyRequestsError } from '../../util/errors.ts'
import type { Address } from '../../util/hex.ts'
import type { Progress } from '../report/createProgress.ts'

/** Pause while the queue is full. */
const pauseMs = 2_000

/** Requests all addresses in parts, and waits while the queue is full. Idempotent: earlier requests do not change. */
export async function requestAll(options: {
  addresses: readonly Address[]
  request: (part: readonly Address[]) => Promise<void>
  /** Addresses per request. */
  atOnce: number
  progress: Progress
  signal: AbortSignal
}): Promise<void> {
  const { addresses, request, atOnce, progress, signal } = options
  for (let next = 0; next < addresses.length; ) {
    signal.throwIfAborted()
    progress.update(next / addresses.length, `${next} of ${addresses.length} requested`)
    try {
      await request(addresses.slice(next, next + atOnce))
      next += atOnce
    } catch (error) {
      if (!(error instanceof TooManyRequestsError)) throw error
      await delay(pauseMs, undefined, { signal })
    }
  }
}
