import { createInterface } from 'node:readline/promises'
import { printable } from '../report/print.ts'

/** Prompts the user; only `y` and `yes` count as yes. Rejects with an AbortError when the signal is aborted. */
export type Prompt = (question: string, signal: AbortSignal) => Promise<boolean>

/** Undefined without a terminal, for example under cron. */
export function createPrompt(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Prompt | undefined {
  const isTerminal = (stream: object) => (stream as NodeJS.ReadStream).isTTY === true
  if (!isTerminal(input) || !isTerminal(output)) return undefined
  return async (question, signal) => {
    const lines = createInterface({ input, output })
    try {
      const answer = await lines.question(`${printable(question)} [y/N] `, { signal })
      return /^\s*y(es)?\s*$/i.test(answer)
    } finally {
      lines.close()
    }
  }
}
