import { Writable } from 'node:stream'
import { vi } from 'vitest'
import { runCli } from '../src/cli/runCli.ts'
import { patience } from './patience.ts'

export type CommandResult = { code: number; out: string; err: string }

/** Runs one command line in this process, as main.ts does. Returns its exit code and output. */
export async function runCommand(
  args: readonly string[],
  signal = new AbortController().signal,
  stdin?: NodeJS.ReadableStream,
): Promise<CommandResult> {
  const stdout = createSink()
  // Commands prompt only at a terminal, so a command with input needs a TTY.
  const stderr = Object.assign(createSink(), { isTTY: stdin !== undefined })
  const code = await runCli(args, signal, { stdout, stderr, ...(stdin && { stdin }) })
  return { code, out: stdout.text(), err: stderr.text() }
}

/** A command that runs until it gets a stop signal, and its output so far. */
export type LongCommand = { out(): string; err(): string; stop(): Promise<void> }

/** Starts a command in this process. Resolves once it has written `ready`; throws if it ends before. */
export async function startCommand(args: readonly string[], ready: string): Promise<LongCommand> {
  const stopping = new AbortController()
  const [stdout, stderr] = [createSink(), createSink()]
  let code: number | undefined
  const done = runCli(args, stopping.signal, { stdout, stderr }).then((ended) => {
    code = ended
  })
  const stop = async () => {
    stopping.abort()
    await done
  }
  await vi.waitUntil(() => code !== undefined || (stdout.text() + stderr.text()).includes(ready), patience)
  if (code !== undefined) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr.text()}`)
  return { out: stdout.text, err: stderr.text, stop }
}

function createSink(): Writable & { text(): string } {
  let text = ''
  const sink = new Writable({
    write(chunk, _, done) {
      text += chunk
      done()
    },
  })
  return Object.assign(sink, { text: () => text })
}
