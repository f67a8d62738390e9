import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { MintmarkError } from '../../util/errors.ts'
import type { Log } from '../../util/log.ts'
import { isConnectionError } from '../databaseError.ts'
import { type Programs, spawnProgram, workingFolderName } from './program.ts'
import type { ServerSettings } from './settings.ts'

/** PostgreSQL ended before it accepted connections; the message ends with PostgreSQL's own. */
export class PostgresStartError extends MintmarkError {
  readonly code = 'POSTGRES_START'
}

/** PostgreSQL continues in spite of SIGKILL: it hangs in the kernel, or this process may not end it. */
export class PostgresStopError extends MintmarkError {
  readonly code = 'POSTGRES_STOP'
}

export type PostmasterExit = { code: number | null; signal: NodeJS.Signals | null }

/** The running server process. */
export type Postmaster = {
  pid: number
  /** Settles when the server has ended, normally or not. */
  exited: Promise<PostmasterExit>
  /** Closes every connection, has everything written to disk and ends the server; throws `PostgresStopError`. */
  stop(): Promise<void>
}

export type PostmasterOptions = {
  programs: Programs
  cluster: string
  connection: pg.ClientConfig
  settings: ServerSettings
  log: Log
  /** Stops a start that is still in progress, for example during a long recovery. */
  signal: AbortSignal
}

/** Starts the server and resolves when it accepts connections: after 0.04 s, or once it has recovered from a crash. */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { programs, cluster, connection, settings, log, signal } = options
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawnProgram(programs, 'postgres', ['-D', workingFolderName(cluster), ...args], {
    cwd: cluster,
    // A session of its own: Ctrl-C at the terminal goes only to the service, which stops the server once it is no longer needed.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const output = followOutput(child.stderr!, log)
  const exited = new Promise<PostmasterExit>((resolve) => {
    child.once('exit', (code, exitSignal) => resolve({ code, signal: exitSignal }))
  })
  const pid = child.pid
  if (pid === undefined) {
    const [cause] = await once(child, 'error')
    throw new PostgresStartError('PostgreSQL could not be started', { cause })
  }
  // Also emitted for a signal that this process may not send; the wait for the server's end shows its effect.
  child.on('error', (err) => log.warn({ err, pid }, 'PostgreSQL cannot be signalled'))

  // A process that exits without `stop`, after a crash or if stopping takes too long, must leave no statement running. An immediate shutdown ends
  // them, and the next start recovers from the WAL.
  const quit = () => child.kill('SIGQUIT')
  process.once('exit', quit)
  child.once('exit', () => process.off('exit', quit))

  const interrupt = () => child.kill('SIGINT')
  signal.addEventListener('abort', interrupt)
  try {
    if (signal.aborted) interrupt()
    const exit = await Promise.race([exited, ready(connection, exited)])
    if (exit) {
      await output.ended
      throw new PostgresStartError(
        `PostgreSQL ended with ${exit.signal ?? `code ${exit.code}`} while starting: ${output.tail()}`,
      )
    }
  } finally {
    signal.removeEventListener('abort', interrupt)
  }

  return {
    pid,
    exited,
    async stop() {
      // A fast shutdown takes as long as the disk needs for dirty memory; an immediate one leaves that to recovery.
      for (const [how, waitMs] of [
        ['SIGINT', 5_000],
        ['SIGQUIT', 2_000],
        ['SIGKILL', 2_000],
      ] as const) {
        child.kill(how)
        const timer = new AbortController()
        const timeout = delay(waitMs, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const)
        const outcome = await Promise.race([exited, timeout])
        timer.abort()
        if (outcome !== 'late') return
        log.warn({ pid, signal: how, waitMs }, 'PostgreSQL does not stop')
      }
      throw new PostgresStopError(`PostgreSQL (process ${pid}) cannot be stopped`)
    },
  }
}

/** Resolves when a connection succeeds, or when the server has ended. */
async function ready(connection: pg.ClientConfig, exited: Promise<unknown>): Promise<undefined> {
  let over = false
  const end = () => {
    over = true
  }
  exited.then(end, end)
  while (!over) {
    const client = new pg.Client(connection)
    // A server that is stopped meanwhile reports that on the connection; without a listener that would end this process.
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return undefined
    } catch (error) {
      // No socket yet, or "the database system is starting up" (57P03).
      if (!isConnectionError(error)) throw error
    }
    await delay(10)
  }
}

const severities = /^(?:.* )?(LOG|WARNING|ERROR|FATAL|PANIC): {2}/

/** PostgreSQL's messages to new and open connections while it starts and stops. */
const stateOfServer =
  /the database system is (?:starting up|shutting down|in recovery mode|not yet accepting connections)|terminating connection due to/

/** Writes the server's output to the log, and keeps its last lines for an error message. */
function followOutput(stream: Readable, log: Log): { ended: Promise<void>; tail(): string } {
  const last: string[] = []
  const lines = createInterface({ input: stream })
  lines.on('line', (line) => {
    last.push(line.trim())
    if (last.length > 10) last.shift()
    const severity = severities.exec(line)?.[1]
    const level = severity === 'PANIC' ? 'error' : severity === 'FATAL' || severity === 'WARNING' ? 'warn' : 'debug'
    log[stateOfServer.test(line) ? 'debug' : level]({ line }, 'postgres')
  })
  const closed = new Promise<void>((resolve) => lines.once('close', resolve))
  // A backend that outlives its postmaster keeps the pipe open.
  const ended = Promise.race([closed, delay(500, undefined, { ref: false })])
  return { ended, tail: () => last.join(' ') }
}
