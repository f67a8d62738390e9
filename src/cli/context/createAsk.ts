import { createInterface } from 'node:readline/promises'
import { printable } from '../report/print.ts'

/** Prompts the person at the terminal; only `y` and `yes` count as yes. Throws an AbortError with the signal. */
export type Ask = (question: string, signal: AbortSignal) => Promise<boolean>

/** Undefined where there is no terminal, as under cron. */
export function createAsk(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Ask | undefined {
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
