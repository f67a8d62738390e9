import { extname } from 'node:path'
import { parentPort, Worker } from 'node:worker_threads'
import { unlessAborted } from '../../util/wait.ts'

/** A thread that reads or writes one file. It answers each message once, in order. */
export type Thread<Message, Answer> = {
  /** Rejects with the error of the message's work, which has the `code` of the original, or with the signal's reason. */
  send(message: Message, signal?: AbortSignal): Promise<Answer>
  /** Resolves when the thread has ended, which it does once it is loaded and its last message is answered. */
  end(): Promise<void>
  /** Ends the thread without waiting for the work of a message, except the first one. Pending messages reject. */
  stop(): Promise<void>
  /** Resolves when the thread has ended, for any reason. */
  ended: Promise<void>
}

type Reply<Answer> = { answer: Answer } | { failed: { message: string; code?: string | undefined } }

/** Starts the program `name` of this folder, which calls `serve`, with its `workerData`. */
export function startThread<Message, Answer>(name: string, workerData: unknown): Thread<Message, Answer> {
  // Source file in a clone, compiled file in an installed package.
  const worker = new Worker(new URL(`./${name}${extname(import.meta.url)}`, import.meta.url), { workerData })
  let awaited: PromiseWithResolvers<Reply<Answer>> | undefined
  let failure: unknown
  // Not a race of each answer with the end of the thread: the latter would hold all answers in memory.
  function fail(error: unknown): void {
    failure ??= error
    awaited?.reject(failure)
  }
  worker.on('message', (reply: Reply<Answer>) => awaited?.resolve(reply))
  const answered = new Promise<void>((resolve) => worker.once('message', () => resolve()))
  worker.on('error', fail)
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      fail(new Error(`the thread ${name} ended before its work was done`))
      resolve()
    })
  })
  return {
    async send(message, signal) {
      if (failure) throw failure
      awaited = Promise.withResolvers()
      worker.postMessage({ message })
      const reply = await (signal ? unlessAborted(awaited.promise, signal) : awaited.promise)
      if ('failed' in reply) throw Object.assign(new Error(reply.failed.message), reply.failed)
      return reply.answer
    },
    async end() {
      worker.postMessage(null)
      await ended
    },
    async stop() {
      // V8 aborts the process if a thread is terminated while it loads. After its first answer, it is loaded.
      worker.postMessage(null)
      await Promise.race([answered, ended])
      await worker.terminate()
    },
    ended,
  }
}

/** Makes this thread answer messages by `work`, until it gets null. */
export function serve<Message, Answer>(work: (message: Message) => Answer): void {
  const port = parentPort!
  function reply(message: Message): Reply<Answer> {
    try {
      return { answer: work(message) }
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException
      return { failed: { message, code } }
    }
  }
  port.on('message', (sent: { message: Message } | null) =>
    sent === null ? port.close() : port.postMessage(reply(sent.message)),
  )
}
