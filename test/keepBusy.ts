import { Worker } from 'node:worker_threads'

/** Threads that compute all the time, as the programs of a busy machine do. */
const busyThreads = 8

/** Computes until this process ends. */
const program = 'for (;;) ;'

/** Global set-up of vitest that keeps every core busy while the tests of a run go on. */
export function setup(): () => Promise<void> {
  const workers = Array.from({ length: busyThreads }, () => new Worker(program, { eval: true }))
  return async () => {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}
