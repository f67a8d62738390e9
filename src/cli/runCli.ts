import { CommanderError } from 'commander'
import { describeError } from '../errors.ts'
import { isDebugging } from '../loadConfig.ts'
import { createProgram } from './createProgram.ts'
import { createPrint } from './print.ts'

/** Runs one command line and answers the exit code: 0, 1 for a failure, 2 for a command line that makes no sense. */
export async function runCli(args: readonly string[], signal: AbortSignal): Promise<number> {
  const print = createPrint(process.stdout, process.stderr)
  try {
    await createProgram({ print, signal }).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has already said what is wrong, or printed the help or the version that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    // What was under way was given up, as it was told to.
    if (signal.aborted && (error as NodeJS.ErrnoException).code === 'ABORT_ERR') return 1
    print.note(`mintmark: ${describeError(error)}`)
    if (isDebugging() && error instanceof Error) print.note(error.stack ?? '')
    return 1
  }
}
