import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type ConfigInput, parseConfig } from '../../src/config/config.ts'
import { freePort } from '../../test/freePort.ts'
import { faultOfLine, secretTexts } from '../../test/heldLog.ts'
import type { Journal } from '../journal.ts'

export type Role = 'api' | 'sync' | 'deliver'

/**
 * A process of the service with one role. It is started again, as by a supervisor, after it was killed, or after it ended because the
 * database was unreachable during its start.
 */
export type WorldProcess = {
  role: Role
  name: string
  url: string
  /** undefined while the process is down. */
  pid(): number | undefined
  /** Resolves when /ready returns 200. */
  untilReady(signal: AbortSignal): Promise<void>
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  start(): void
  freeze(isFrozen: boolean): void
  /** Stops it cleanly for the rest of the run. */
  stop(): Promise<void>
}

/** The program that processes of a world run. */
export const ownMain = join(import.meta.dirname, '../../src/main.ts')

/** Milliseconds until the supervisor starts a process again. */
const restartMs = 500
/** Milliseconds after the database recovered in which a process may still end because of the outage. */
const graceMs = 5_000

export type WorldProgram = {
  /** Omitted: the project's own program. */
  main?: string
  /** Folder for complete logs of level debug, one file for each process; omitted: only the last lines of each process are kept. */
  logs?: string
}

/** Starts `mintmark start` with a role. An unexpected exit and a forbidden log line are errors in the journal. */
export async function startWorldProcess(
  role: Role,
  name: string,
  config: ConfigInput,
  journal: Journal,
  { main = ownMain, logs }: WorldProgram = {},
): Promise<WorldProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-world-process-'))
  const reported = logs !== undefined && { logLevel: 'debug' as const }
  const whole = { ...config, ...reported, role, port: await freePort(), dataDir: join(folder, 'data') }
  const file = join(folder, 'mintmark.config.json')
  writeFileSync(file, JSON.stringify(whole))
  const secrets = secretTexts(parseConfig(whole))
  let child: ChildProcess | undefined
  let began = 0
  let isReady = false
  let again: NodeJS.Timeout | undefined
  const url = `http://127.0.0.1:${whole.port}`

  function hear(line: string): void {
    if (logs !== undefined)
      appendFileSync(join(logs, `${name}.log`), `${(journal.now() / 1_000).toFixed(2)} s  ${line}\n`)
    if (!line.startsWith('{')) return
    const fault = faultOfLine(line, secrets)
    if (fault !== undefined) journal.fault('log', `${name} logged ${fault}: ${line.slice(0, 400)}`)
  }

  /** Whether the process failed to start because the database was unreachable. */
  const cannotStart = () => !isReady && journal.wasUnreachable('database', began, journal.now(), graceMs)

  function start(): void {
    if (child) return
    began = journal.now()
    isReady = false
    const own = spawn(process.execPath, [main, 'start', '--config', file], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child = own
    const reaper = endAfterThisProcess(own.pid!)
    let rest = ''
    const output: string[] = []
    own.stderr!.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop()!
      for (const line of lines) hear(line)
      output.push(...lines)
      output.splice(0, output.length - 5)
    })
    own.once('exit', (code, signal) => {
      reaper.kill('SIGKILL')
      if (child !== own) return
      child = undefined
      if (cannotStart()) {
        journal.log(`${name} could not start: ${output.join(' | ').slice(-200)}`)
        again = setTimeout(start, restartMs)
        return
      }
      journal.fault('6 help', `${name} ended by itself with ${code ?? signal}: ${output.join(' | ').slice(-1_500)}`)
    })
  }
  start()
  const own: WorldProcess = {
    role,
    name,
    url,
    pid: () => child?.pid,
    async untilReady(signal) {
      while ((await fetch(`${url}/ready`, { signal }).catch(() => undefined))?.status !== 200)
        await wait(50, undefined, { signal })
      isReady = true
    },
    async kill(signal) {
      clearTimeout(again)
      const running = child
      if (!running) return
      child = undefined
      running.kill(signal)
      // A frozen process handles SIGTERM only after SIGCONT.
      running.kill('SIGCONT')
      if (running.exitCode === null && running.signalCode === null) await once(running, 'exit')
      // While the program still loads, the signal itself ends it.
      const isLoading = !isReady && running.signalCode === 'SIGTERM'
      if (signal === 'SIGTERM' && running.exitCode !== 0 && !isLoading && !cannotStart())
        journal.fault('6 help', `${name} ended with ${running.exitCode ?? running.signalCode} after SIGTERM`)
    },
    start,
    freeze: (isFrozen) => void child?.kill(isFrozen ? 'SIGSTOP' : 'SIGCONT'),
    async stop() {
      await own.kill('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return own
}

/** Starts a shell that kills a process once this one has ended, even by SIGKILL: then the kernel closes the shell's standard input. */
function endAfterThisProcess(pid: number): ChildProcess {
  const script = 'read -r _; kill -CONT "$1"; kill -9 "$1"'
  return spawn('/bin/sh', ['-c', script, 'sh', String(pid)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
}

/** Returns the memory of a process in megabytes (VmRSS of Linux); undefined if it has exited or the system does not report it. */
export function residentMegabytes(pid: number): number | undefined {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024
  } catch {
    return undefined
  }
}
