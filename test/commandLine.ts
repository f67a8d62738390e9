import { Writable } from 'node:stream'
import { runCli } from '../src/cli/runCli.ts'

export type CommandResult = { code: number; out: string; err: string }

/** Runs one command line in this process, as main.ts does: its exit code and what it wrote. */
export async function runCommand(
  args: readonly string[],
  signal = new AbortController().signal,
  stdin?: NodeJS.ReadableStream,
): Promise<CommandResult> {
  const stdout = createSink()
  // Somebody who answers is at a terminal.
  const stderr = Object.assign(createSink(), { isTTY: stdin !== undefined })
  const code = await runCli(args, signal, { stdout, stderr, ...(stdin && { stdin }) })
  return { code, out: stdout.text(), err: stderr.text() }
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
