import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../util/log.ts'
import type { Postmaster, PostmasterExit } from './postmaster.ts'

export type SuperviseOptions = {
  /** Starts the server; gives up when the signal is raised. */
  start(signal: AbortSignal): Promise<Postmaster>
  /** Called each time the server ended by itself; it is started again. */
  onExit?: ((exit: PostmasterExit) => void) | undefined
  log: Log
}

/** Longest wait before the next try; the first is a tenth of a second and each doubles. */
const maxDelayMs = 10_000
/** After a server that lived this long, the waits begin with the shortest again. */
const steadyMs = 60_000

/**
 * Keeps a server running until `stop`. One that dies is started again for as long as it takes: clients get connection
 * errors meanwhile and the pool makes new connections, so nothing above needs to know.
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
