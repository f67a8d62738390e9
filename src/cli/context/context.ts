import type { Secrets } from '../../util/urls/secrets.ts'
import type { Print } from '../report/print.ts'
import type { Ask } from './createAsk.ts'

/** What every command gets from the process it runs in. */
export type CliContext = {
  print: Print
  /** Prompts the person at the terminal; undefined if there is no terminal. */
  ask: Ask | undefined
  /** Texts that are masked in whatever is printed or logged. Reading the configuration adds its secrets. */
  secrets: Secrets
  /** Aborted when the process is reported to stop. */
  signal: AbortSignal
}
