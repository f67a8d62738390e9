import { parentPort } from 'node:worker_threads'
import { lowerPriority } from './lowerPriority.ts'
import type { ThreadMessage } from './threadPool.ts'

/**
 * Makes this thread one of a `ThreadPool`: it runs one job after another until it gets null. `transfer`: memory of the answer to transfer instead of
 * copy. Its priority is low. Call it once everything is loaded.
 */
export function serveThread<Job, Answer>(work: (job: Job) => { answer: Answer; transfer: ArrayBuffer[] }): void {
  lowerPriority()
  const port = parentPort!
  const send = (message: ThreadMessage<Answer>, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)
  port.on('message', (job: Job | null) => {
    if (job === null) return port.close()
    try {
      const { answer, transfer } = work(job)
      send({ answer }, transfer)
    } catch (error) {
      send({ failed: (error instanceof Error && error.stack) || String(error) })
    }
  })
  send('ready')
}
