import { Worker } from 'node:worker_threads'

/** Threads that compute all the time, like other programs on a busy machine. */
const busyThreads = 8

/** Computes until this process ends. */
const program = 'for (;;) ;'

/** A global setup of vitest that keeps every core busy during the tests. */
export function setup(): () => Promise<void> {
  const workers = Array.from({ length: busyThreads }, () => new Worker(program, { eval: true }))
  return async () => {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}
