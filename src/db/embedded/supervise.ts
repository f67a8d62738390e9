import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../util/log.ts'
import type { Postmaster, PostmasterExit } from './postmaster.ts'

export type SuperviseOptions = {
  /** Starts the server; stops trying when the signal aborts. */
  start(signal: AbortSignal): Promise<Postmaster>
  /** Called each time the server ended by itself; it is restarted. */
  onExit?: ((exit: PostmasterExit) => void) | undefined
  log: Log
}

/** Longest wait before the next try; the first is a tenth of a second, and each is twice the previous one. */
const maxDelayMs = 10_000
/** After a server that lived this long, the waits start again with the shortest. */
const steadyMs = 60_000

/**
 * Keeps a server running until `stop`. One that dies is restarted as often as needed: clients get connection errors meanwhile and the pool opens new
 * connections, so no other code needs to know.
 */
export async function supervise({ start, onExit, log }: SuperviseOptions): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController()
  const { signal } = stopping
  let server: Postmaster | undefined = await start(signal)
  let tries = 0

  async function startAgain(): Promise<void> {
    while (!signal.aborted) {
      const waitMs = Math.min(maxDelayMs, 100 * 2 ** tries++)
      await delay(waitMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      try {
        const started = await start(signal)
        // No await is between this check and the assignment: `stop` stops the server, or it is stopped below.
        if (!signal.aborted) {
          server = started
          log.info({ failures: tries }, 'PostgreSQL restarted')
          return
        }
        await started.stop()
      } catch (err) {
        if (!signal.aborted) log.error({ err, tries }, 'PostgreSQL restart failed')
      }
    }
  }

  async function watch(): Promise<void> {
    while (server) {
      const startedAt = Date.now()
      const exit = await server.exited
      server = undefined
      if (signal.aborted) return
      log.error({ ...exit }, 'PostgreSQL exited unexpectedly')
      onExit?.(exit)
      if (Date.now() - startedAt > steadyMs) tries = 0
      await startAgain()
    }
  }

  const watching = watch()
  return {
    async stop() {
      stopping.abort()
      await server?.stop()
      await watching
    },
  }
}
