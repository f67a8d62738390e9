import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { vi } from 'vitest'
import { patience } from './patience.ts'
import { type PrintedDemo, readDemo } from './readDemo.ts'

export type DemoProcess = PrintedDemo & {
  /** The output on standard error so far. */
  err(): string
  /** Sends Ctrl-C as a terminal does: to npm and to everything that npm started. Resolves to npm's exit code. */
  stop(): Promise<number | null>
}

/** Starts `npm run demo` as described in the README, on a free port. Throws if the demo ends before it is ready. */
export async function startDemoProcess(): Promise<DemoProcess> {
  const child = spawn('npm', ['run', 'demo', '--', '--port', '0'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group, so that a terminal's Ctrl-C reaches all its processes.
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
