import type { Ask } from './createAsk.ts'
import type { Print } from './print.ts'

/** What every command gets from the process it runs in. */
export type CliContext = {
  print: Print
  /** Undefined where nobody is at a terminal. */
  ask: Ask | undefined
  /** Aborted when the process is told to stop. */
  signal: AbortSignal
}
