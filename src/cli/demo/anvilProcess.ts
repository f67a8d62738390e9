import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { MintmarkError } from '../../util/errors.ts'
import { sendSignal } from '../../util/signals.ts'

/** Anvil did not start: no binary for this platform, an invalid option, or a timeout. */
export class AnvilStartError extends MintmarkError {
  readonly code = 'ANVIL_START'
}

export type AnvilProcess = {
  /** JSON-RPC URL on loopback. */
  url: string
  /** Process id of anvil. */
  pid: number
  /** Resolves when anvil has exited for any reason. */
  exited: Promise<void>
  stop(): Promise<void>
}

export type AnvilProcessOptions = {
  /** Arguments besides host and port. */
  args: readonly string[]
  /** 0: any free port. */
  port?: number
  /** Kills anvil when aborted. */
  signal?: AbortSignal | undefined
}

/**
 * Runs anvil under two shells: one waits for it; the other kills anvil when a pipe of this process closes. The kernel
 * closes the pipe even after kill -9, so anvil never outlives this process.
 */
const guard = `
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
echo "pid $child"
(read -r _ <&3; kill -KILL "$child" 2>/dev/null) >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$child"
status=$?
kill -KILL "$watcher" 2>/dev/null
exit "$status"
`

/** Starts anvil and waits until it listens. It has its own process group, so that Ctrl-C reaches this process first. */
export async function startAnvilProcess(options: AnvilProcessOptions): Promise<AnvilProcess> {
  const command = [anvilPath(), '--host', '127.0.0.1', '--port', String(options.port ?? 0), ...options.args]
  const child = spawn('/bin/sh', ['-c', guard, 'anvil', ...command], {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit').then(() => undefined)
  child.stdin.on('error', () => child.stdin.destroy())
  const errors: string[] = []
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text))

  const kill = () => {
    child.stdin.destroy()
    if (child.exitCode === null && child.signalCode === null && child.pid) sendSignal(-child.pid, 'SIGKILL')
  }
  const stop = async () => {
    options.signal?.removeEventListener('abort', kill)
    kill()
    await exited
  }
  options.signal?.addEventListener('abort', kill, { once: true })
  if (options.signal?.aborted) kill()

  const listening = new Promise<{ pid: number; port: number }>((resolve, reject) => {
    let pid = 0
    // Read until anvil exits: it writes a line per request, and a full pipe would block it.
    createInterface(child.stdout).on('line', (line) => {
      pid ||= Number(/^pid (\d+)$/.exec(line)?.[1] ?? 0)
      const port = Number(/^Listening on 127\.0\.0\.1:(\d+)$/.exec(line)?.[1] ?? 0)
      if (port > 0) resolve({ pid, port })
    })
    exited.then(() => reject(new AnvilStartError(`anvil ended while it started: ${errors.join('').trim()}`)), reject)
  })
  const timeoutMs = 20_000
  const timer = setTimeout(() => {
    errors.push(`it did not listen within ${timeoutMs} ms`)
    kill()
  }, timeoutMs)
  try {
    const { pid, port } = await listening
    return { url: `http://127.0.0.1:${port}`, pid, exited, stop }
  } catch (error) {
    await stop()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** The platform's binary, an optional dependency of @foundry-rs/anvil. */
function anvilPath(): string {
  const platform = process.platform === 'win32' ? 'win32' : process.platform
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  const name = `@foundry-rs/anvil-${platform}-${architecture}`
  const own = createRequire(import.meta.url)
  try {
    // The package may have its own node_modules, so its dependency is resolved from there.
    return createRequire(own.resolve('@foundry-rs/anvil/package.json')).resolve(`${name}/bin/${file}`)
  } catch (cause) {
    throw new AnvilStartError(`no local chain for this machine: the optional package ${name} is not installed`, {
      cause,
    })
  }
}
