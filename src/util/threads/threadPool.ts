import { Worker } from 'node:worker_threads'
import { MintmarkError } from '../errors.ts'

/**
 * A thread failed during a job, or before it could start. `memory`: its heap was full; `timeout`: it did not answer in time; `exit`: it ended;
 * `failed`: the job threw, and the thread continues. The same job may succeed in another thread.
 */
export class ThreadError extends MintmarkError {
  readonly code = 'THREAD_FAILED'
  override readonly retryable = true
  readonly reason: 'memory' | 'timeout' | 'exit' | 'failed'

  constructor(reason: ThreadError['reason'], options: { cause?: unknown } = {}) {
    super(`a worker thread failed: ${messages[reason]}`, options)
    this.reason = reason
  }
}

const messages = {
  memory: 'it ran out of memory',
  timeout: 'it did not answer in time',
  exit: 'it ended before it answered',
  failed: 'its job threw an error',
}

/** Threads that run one program (`serveThread`), each with one job at a time. Jobs wait in the order of their calls. */
export type ThreadPool<Job, Answer> = {
  /** `transfer`: memory of the job to transfer instead of copy. Rejects with a ThreadError, or with the signal's reason. */
  run(job: Job, options?: { transfer?: readonly ArrayBuffer[]; signal?: AbortSignal | undefined }): Promise<Answer>
  /** Starts a thread if there is none: the next job need not wait for it. */
  warmUp(): void
  /** Ends all threads. Unanswered jobs are rejected. */
  close(): Promise<void>
}

export type ThreadPoolOptions = {
  program: URL
  /** Most threads. They are started when there are jobs for them, and end after an idle time. */
  threads: number
  /** Most memory of a thread's heap, in megabytes. */
  heapMegabytes: number
  /** Time limit of a job. */
  timeoutMs: number
  /** How long an idle thread is kept. */
  idleMs?: number
}

/** Most memory of a thread's short-lived objects. The default, 192, takes 60 MB more for a history, which is no faster then. */
const youngMegabytes = 96

/** The messages of a thread. The first one of each is 'ready'. */
export type ThreadMessage<Answer> = 'ready' | { answer: Answer } | { failed: string }

type Waiting<Job, Answer> = {
  job: Job
  transfer: readonly ArrayBuffer[]
  resolve(answer: Answer): void
  reject(error: unknown): void
}

type Thread<Job, Answer> = {
  worker: Worker
  isReady: boolean
  current: Waiting<Job, Answer> | undefined
  timer: NodeJS.Timeout | undefined
  failure: ThreadError | undefined
  ended: Promise<void>
}

export function createThreadPool<Job, Answer>(options: ThreadPoolOptions): ThreadPool<Job, Answer> {
  const { program, threads: most, heapMegabytes, timeoutMs, idleMs = 10_000 } = options
  const threads = new Set<Thread<Job, Answer>>()
  const waiting: Waiting<Job, Answer>[] = []
  let closed = false

  function start(): void {
    const worker = new Worker(program, {
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: youngMegabytes },
    })
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    const thread: Thread<Job, Answer> = {
      ...{ worker, ended, isReady: false, current: undefined, timer: undefined, failure: undefined },
    }
    threads.add(thread)
    worker.on('message', (message: ThreadMessage<Answer>) => receive(thread, message))
    worker.on('error', (cause: Error & { code?: string }) => {
      const reason = cause.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'exit'
      thread.failure ??= new ThreadError(reason, { cause })
    })
    worker.once('exit', () => {
      clearTimeout(thread.timer)
      threads.delete(thread)
      // A program that cannot be loaded fails one job each time, so that none waits forever.
      const failed = thread.current ?? (thread.isReady ? undefined : waiting.shift())
      failed?.reject(thread.failure ?? new ThreadError('exit'))
      assign()
    })
  }

  function receive(thread: Thread<Job, Answer>, message: ThreadMessage<Answer>): void {
    if (message === 'ready') thread.isReady = true
    else {
      clearTimeout(thread.timer)
      const { current } = thread
      thread.current = undefined
      if ('answer' in message) current?.resolve(message.answer)
      else current?.reject(new ThreadError('failed', { cause: new Error(message.failed) }))
    }
    assign()
    if (!thread.current && threads.has(thread)) thread.timer = setTimeout(() => end(thread), idleMs).unref()
  }

  function assign(): void {
    if (closed) return
    for (const thread of threads)
      if (thread.isReady && !thread.current && waiting.length > 0) give(thread, waiting.shift()!)
    let loading = 0
    for (const { isReady } of threads) if (!isReady) loading++
    for (; loading < waiting.length && threads.size < most; loading++) start()
  }

  function give(thread: Thread<Job, Answer>, next: Waiting<Job, Answer>): void {
    clearTimeout(thread.timer)
    thread.current = next
    thread.worker.postMessage(next.job, next.transfer)
    thread.timer = setTimeout(() => {
      thread.failure = new ThreadError('timeout')
      void thread.worker.terminate()
    }, timeoutMs)
  }

  /** It ends by itself once it is loaded: V8 ends the process if a thread is terminated while it loads. */
  function end(thread: Thread<Job, Answer>): void {
    threads.delete(thread)
    thread.worker.postMessage(null)
  }

  return {
    warmUp() {
      if (!closed && threads.size === 0) start()
    },
    run(job, { transfer = [], signal } = {}) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        if (closed) return reject(new ThreadError('exit'))
        const abort = () => {
          const place = waiting.indexOf(next)
          if (place >= 0) waiting.splice(place, 1)
          reject(signal!.reason)
        }
        const settled = () => signal?.removeEventListener('abort', abort)
        const next: Waiting<Job, Answer> = {
          ...{ job, transfer },
          resolve(answer) {
            settled()
            resolve(answer)
          },
          reject(error) {
            settled()
            reject(error)
          },
        }
        signal?.addEventListener('abort', abort, { once: true })
        waiting.push(next)
        assign()
      })
    },
    async close() {
      closed = true
      for (const { reject } of waiting.splice(0)) reject(new ThreadError('exit'))
      const open = [...threads]
      for (const thread of open) {
        if (thread.current) void thread.worker.terminate()
        else end(thread)
      }
      await Promise.all(open.map(({ ended }) => ended))
    },
  }
}
