import { CommanderError } from 'commander'
import { isDebugging } from '../config/loadConfig.ts'
import { ConfigError, describeError } from '../util/errors.ts'
import { createSecrets } from '../util/urls/secrets.ts'
import { createPrompt } from './context/createPrompt.ts'
import { createProgram } from './createProgram.ts'
import { nextStep } from './nextStep.ts'
import { createPrint, type Print } from './report/print.ts'

/** Runs one command line and returns the exit code: 0, 1 for a failure, 2 for an invalid command line. */
export async function runCli(
  args: readonly string[],
  signal: AbortSignal,
  streams: {
    stdin?: NodeJS.ReadableStream
    stdout: NodeJS.WritableStream
    stderr: NodeJS.WritableStream
  } = process,
  secrets = createSecrets(),
): Promise<number> {
  const print = createPrint(streams.stdout, streams.stderr, secrets.mask)
  try {
    const prompt = streams.stdin && createPrompt(streams.stdin, streams.stderr)
    await createProgram({ print, prompt, signal, secrets }).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has already printed the error, the help or the version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    // A signal ended the command.
    if (signal.aborted && (error as NodeJS.ErrnoException).code === 'ABORT_ERR') return 1
    printError(print, error)
    if (isDebugging() && error instanceof Error) for (const line of (error.stack ?? '').split('\n')) print.note(line)
    return 1
  }
}

/** Prints the error with the next step as one line; errors of a configuration are one line each. */
function printError(print: Print, error: unknown): void {
  const step = nextStep(error)
  const text = `mintmark: ${describeError(error)}`
  const lines = error instanceof ConfigError ? text.split('\n') : [text]
  if (step !== undefined && lines.length > 1) lines.push(`  ${step}`)
  else if (step !== undefined) lines[0] += `: ${step}`
  for (const line of lines) print.note(line)
}
