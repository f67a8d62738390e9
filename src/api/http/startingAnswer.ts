import { UnavailableError } from '../../errors.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import { errorAnswer } from './errorAnswer.ts'

/**
 * What the server answers while it listens and has no database yet. `/health` says that it is alive; everything else is 503 with
 * Retry-After, so that clients ask again: they would take a refused connection for the end of the service.
 */
export function startingAnswer(target: string, version: string): { route: string; answer: Answer } {
  const [path] = target.split('?', 1)
  if (path === '/health') return { route: path, answer: jsonAnswer(200, { status: 'ok', version }) }
  if (path === '/ready')
    return {
      route: path,
      answer: errorAnswer(new UnavailableError('not ready: starting', { details: { waitingFor: ['start'] } })),
    }
  return { route: 'unknown', answer: errorAnswer(new UnavailableError('the server is starting; ask again')) }
}
