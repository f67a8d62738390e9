import type { Secrets } from '../../util/urls/secrets.ts'
import type { Print } from '../report/print.ts'
import type { Prompt } from './createPrompt.ts'

/** Process-wide objects that commands use. */
export type CliContext = {
  print: Print
  /** Prompts the user; undefined without a terminal. */
  prompt: Prompt | undefined
  /** Texts that are masked in all output. Reading the configuration adds its secrets. */
  secrets: Secrets
  /** Aborted when the process must stop. */
  signal: AbortSignal
}
