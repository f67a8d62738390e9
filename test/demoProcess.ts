import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { vi } from 'vitest'
import { patience } from './patience.ts'
import { type PrintedDemo, readDemo } from './readDemo.ts'

export type DemoProcess = PrintedDemo & {
  /** What is printed on standard error, up to now. */
  err(): string
  /** Ctrl-C, as a terminal sends it to npm and to all that npm started; resolves to the exit code of npm. */
  stop(): Promise<number | null>
}

/** Starts `npm run demo`, as the README says, on a free port. Throws where the demo ends before it is ready. */
export async function startDemoProcess(): Promise<DemoProcess> {
  const child = spawn('npm', ['run', 'demo', '--', '--port', '0'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, which a terminal's Ctrl-C reaches as a whole.
    detached: true,
  })
  const written = { out: '', err: '' }
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const)
    stream.setEncoding('utf8').on('data', (text: string) => {
      written[name] += text
    })
  const ended = once(child, 'exit') as Promise<[number | null]>
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  const stop = async () => {
    if (!isOver()) process.kill(-child.pid!, 'SIGINT')
    return (await ended)[0]
  }
  try {
    await vi.waitUntil(() => isOver() || written.out.includes('Ctrl-C stops everything'), patience)
    if (isOver()) throw new Error(`the demo ended: ${written.err}`)
    return { ...(await readDemo(written.out)), err: () => written.err, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
