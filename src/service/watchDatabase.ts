import { isConnectionError } from '../db/database.ts'
import { describeError } from '../errors.ts'
import type { Log } from '../log.ts'
import { outageOf } from '../util/faults/outage.ts'
import { createWaker } from '../util/wait.ts'

/** Logs once that the database is away, and once that it is back; other parts that meet the outage log nothing. */
export type DatabaseWatch = {
  /** Takes every error of the database. */
  observe(error: unknown): void
  close(): Promise<void>
}

/** Pause before a database that is away is asked again. */
const askMs = 500

/** `ask` runs any statement. One broken connection is no outage, so the database is asked before the log calls it away. */
export function watchDatabase({ ask, log }: { ask: () => Promise<unknown>; log: Log }): DatabaseWatch {
  const stop = new AbortController()
  let watching: Promise<void> | undefined

  async function watch(first: unknown): Promise<void> {
    const since = performance.now()
    const waker = createWaker()
    for (let failures = 0; !stop.signal.aborted; failures++) {
      const fault = await ask().then(
        () => undefined,
        (error: unknown) => error,
      )
      if (stop.signal.aborted) return
      if (fault === undefined || !isConnectionError(fault)) {
        const seconds = Math.round((performance.now() - since) / 1_000)
        if (failures > 0) log.info({ failures, seconds }, 'database is back')
        return
      }
      if (failures === 0) log.warn({ reason: describeError(first) }, 'database is away')
      await waker.wait(askMs, stop.signal)
    }
  }

  return {
    observe(error) {
      if (stop.signal.aborted || watching || outageOf(error) !== 'database') return
      watching = watch(error).finally(() => {
        watching = undefined
      })
    },
    async close() {
      stop.abort()
      await watching
    },
  }
}
