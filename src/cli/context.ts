import type { Print } from './print.ts'

/** What every command gets from the process it runs in. */
export type CliContext = {
  print: Print
  /** Aborted when the process is told to stop. */
  signal: AbortSignal
}
