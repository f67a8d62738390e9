import type { Secrets } from '../../util/urls/secrets.ts'
import type { Print } from '../report/print.ts'
import type { Ask } from './createAsk.ts'

/** What every command gets from the process it runs in. */
export type CliContext = {
  print: Print
  /** Asks the person at the terminal; undefined where there is no terminal. */
  ask: Ask | undefined
  /** What nothing that is printed or logged may hold; the configuration adds its own when it is read. */
  secrets: Secrets
  /** Aborted when the process is told to stop. */
  signal: AbortSignal
}
