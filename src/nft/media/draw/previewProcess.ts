import { describeError } from '../../../errors.ts'
import { createFrameReader, encodeFrame, type Frame } from './frame.ts'
import type { PreviewFailure, PreviewSettings } from './preview.ts'
import { PreviewWorkerError } from './previewWorkerError.ts'
import { spawnWorker } from './spawnWorker.ts'
import type { WorkerAnswer, WorkerJob } from './workerMessages.ts'

export type Answered = { answer: Exclude<WorkerAnswer, { status: 'ready' }>; body: Buffer }

/** How a worker ended that was given an image. */
export type Death = { died: Extract<PreviewFailure, 'time' | 'memory' | 'crash'>; reason: string }

/** One worker. It takes one image at a time; its caller sees to that. */
export type PreviewProcess = {
  readonly pid: number
  /** False from the moment it is killed or found dead. */
  readonly alive: boolean
  /** Images it was given before. */
  readonly jobs: number
  /** Rejects with the signal's reason, the worker being killed then. */
  run(bytes: Buffer, job: WorkerJob, signal: AbortSignal | undefined): Promise<Answered | Death>
  /** Resolves when it is gone. */
  kill(): Promise<void>
}

/** Node and sharp need 0.2 s to start; a machine that is out of breath gets more. */
const startTimeoutMs = 20_000

/** Three previews of 500 × 500 pixels at most: far below this however badly they compress. */
const maxAnswerBytes = 8_388_608

/** Resolves when the worker is ready. Throws PreviewWorkerError. */
export async function startPreviewProcess(settings: PreviewSettings): Promise<PreviewProcess> {
  const { maxBytes, maxPixels, memoryBytes, timeoutMs } = settings
  const child = spawnWorker({ maxBytes, maxPixels, memoryBytes })
  const reader = createFrameReader<WorkerAnswer>(maxAnswerBytes)
  let alive = true
  let jobs = 0
  let stderr = ''
  /** What ended it, where that was this side. */
  let killedFor: Death | undefined
  let onFrame: ((frame: Frame<WorkerAnswer>) => void) | undefined

  const gone = new Promise<Death>((resolve) => {
    child.on('error', (error) => end('crash', describeError(error)))
    child.once('close', (code, signal) => {
      const [died, reason] = verdict(code, signal, stderr)
      end(died, reason)
    })
    function end(died: Death['died'], reason: string): void {
      alive = false
      resolve(killedFor ?? { died, reason })
    }
  })

  function kill(death: Death): void {
    alive = false
    killedFor ??= death
    child.kill('SIGKILL')
  }

  // Writing to a worker that just died is told by its end, not by EPIPE.
  child.stdin.on('error', () => undefined)
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('latin1')).slice(-2_000)
  })
  child.stdout.on('data', (chunk: Buffer) => {
    try {
      for (const frame of reader.push(chunk)) onFrame?.(frame)
    } catch (error) {
      kill({ died: 'crash', reason: describeError(error) })
    }
  })

  /** The next frame, or how the worker ended instead. */
  async function next(ms: number, signal?: AbortSignal): Promise<Frame<WorkerAnswer> | Death> {
    const timer = setTimeout(() => kill({ died: 'time', reason: `took longer than ${ms} ms` }), ms)
    const abort = () => kill({ died: 'crash', reason: 'given up' })
    signal?.addEventListener('abort', abort, { once: true })
    try {
      const frame = new Promise<Frame<WorkerAnswer>>((resolve) => {
        onFrame = resolve
      })
      const result = await Promise.race([frame, gone])
      signal?.throwIfAborted()
      return result
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      onFrame = undefined
    }
  }

  const first = await next(startTimeoutMs)
  if ('died' in first) throw new PreviewWorkerError(`a preview worker did not start: ${first.reason}`)

  return {
    pid: child.pid!,
    get alive() {
      return alive
    },
    get jobs() {
      return jobs
    },
    async run(bytes, job, signal) {
      signal?.throwIfAborted()
      jobs++
      const answered = next(timeoutMs, signal)
      for (const part of encodeFrame(job, [bytes])) child.stdin.write(part)
      const result = await answered
      if ('died' in result) return result
      return { answer: result.head as Answered['answer'], body: result.body }
    },
    async kill() {
      kill({ died: 'crash', reason: 'stopped' })
      await gone
    },
  }
}

/** Only the kernel and the worker's own watch send SIGKILL, both for memory; `kill` has told otherwise before. */
function verdict(code: number | null, signal: NodeJS.Signals | null, stderr: string): [Death['died'], string] {
  if (signal === 'SIGKILL') return ['memory', 'took more memory than allowed']
  const last = stderr.trim().split('\n').at(-1)?.slice(0, 300)
  const outOfMemory = /out of memory|failed to allocate|std::bad_alloc/i.test(stderr)
  return [outOfMemory ? 'memory' : 'crash', `the decoder died with ${signal ?? code}${last ? `: ${last}` : ''}`]
}
