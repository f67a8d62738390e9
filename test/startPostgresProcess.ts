import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type pg from 'pg'
import { onTestFinished } from 'vitest'

export type PostgresProcess = {
  child: ChildProcess
  /** The output of the process: the connection of its server, or the reason why it did not start. */
  outcome: { connection: pg.ClientConfig; code?: never } | { connection?: never; code: string; message: string }
  /** Sends the signal and waits until the process ends. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** Starts `postgresProcess.ts` in a process group, and stops it cleanly with the test. */
export async function startPostgresProcess(
  dataDir: string,
  user: { uid?: number; gid?: number } = {},
): Promise<PostgresProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'postgresProcess.ts'), dataDir], {
    ...user,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    env: { TMPDIR: '/tmp' },
  })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await exited
  })
  const lines = createInterface({ input: child.stdout! })
  const [line] = (await Promise.race([once(lines, 'line'), exited])) as unknown[]
  if (typeof line !== 'string') throw new Error(`the process ended with ${line} and said nothing`)
  return {
    child,
    outcome: JSON.parse(line),
    async end(signal) {
      child.kill(signal)
      await exited
    },
  }
}
