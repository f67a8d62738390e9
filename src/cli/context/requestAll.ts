import { setTimeout as delay } from 'node:timers/promises'
import { TooManyRequestsError } from '../../util/errors.ts'
import type { Address } from '../../util/hex.ts'
import type { Progress } from '../report/createProgress.ts'

/** Pause while as many wait as may. */
const pauseMs = 2_000

/** Requests all addresses, in parts, and waits where as many are queued as may be. May be repeated: what was requested before stays as it is. */
export async function requestAll(options: {
  addresses: readonly Address[]
  request: (part: readonly Address[]) => Promise<void>
  /** Addresses requested at once. */
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
