import type { Log } from '../log.ts'

/** The same question, `ask`: names of what is not ready. The log has a line when the answer is another one than before. */
export function tellReadiness(log: Log, ask: () => Promise<string[]>): () => Promise<string[]> {
  let before: string | undefined
  return async () => {
    const waitingFor = await ask()
    const now = waitingFor.join(', ')
    if (now !== (before ?? '')) {
      if (now === '') log.info({}, 'ready')
      else log.warn({ waitingFor }, 'not ready')
    }
    before = now
    return waitingFor
  }
}
