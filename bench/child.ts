import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A message between two processes of a figure. */
type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/** A part of a figure in a separate process. It shares only the machine with the measured process. */
export type Child = {
  pid: number
  /** Returns the next message of the child; rejects if the child exits first. */
  next<T>(): Promise<T>
  send(message: JsonValue): void
  stop(): Promise<void>
}

/** Runs `bench/<file>` with `input` as JSON in its only argument. */
export function startChild(file: string, input: JsonValue, options: { nodeOptions?: string[] } = {}): Child {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [JSON.stringify(input)], {
    execArgv: options.nodeOptions ?? [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const exit = once(child, 'exit')
  const inbox: unknown[] = []
  const waiting: ((message: unknown) => void)[] = []
  child.on('message', (message) => {
    const first = waiting.shift()
    if (first) first(message)
    else inbox.push(message)
  })
  return {
    pid: child.pid!,
    async next<T>() {
      if (inbox.length > 0) return inbox.shift() as T
      const message = new Promise<T>((resolve) => waiting.push(resolve as (message: unknown) => void))
      const exited = exit.then(([code, signal]) => {
        throw new Error(`${file} ended with ${code ?? signal} before it answered`)
      })
      return await Promise.race([message, exited])
    },
    send: (message) => void child.send(message as never),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await exit
    },
  }
}

/** Returns the argument that `startChild` gave this process. */
export function childInput<T>(): T {
  return JSON.parse(process.argv[2] ?? 'null') as T
}

/** Sends a message to the parent process. */
export function answer(message: JsonValue): void {
  process.send?.(message)
}

/** Returns the most memory that a running process ever used, in megabytes (VmHWM of Linux). */
export function peakMegabytes(pid: number): number {
  const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1] ?? 0) / 1024
}
