import { describeError, MintmarkError } from '../../../util/errors.ts'
import { sendSignal } from '../../../util/signals.ts'
import { createFrameReader, encodeFrame, type Frame } from './frame.ts'
import type { PreviewFailure, PreviewSettings, WorkerAnswer, WorkerJob } from './preview.ts'
import { spawnWorker, type WorkerChild } from './spawnWorker.ts'

export type Answered = { answer: Exclude<WorkerAnswer, { status: 'ready' }>; body: Buffer }

/** No worker could be started: an error of the machine, not of the image. */
export class PreviewWorkerError extends MintmarkError {
  readonly code = 'PREVIEW_WORKER'
  override readonly retryable = true
}

/** How a worker ended while it had an image. */
export type Death = { died: Extract<PreviewFailure, 'time' | 'memory' | 'crash'>; reason: string }

/** One worker, which gets one image at a time. */
export type PreviewProcess = {
  readonly pid: number
  /** False once it is killed or found dead. */
  readonly alive: boolean
  /** Number of images so far. */
  readonly jobs: number
  /** Makes previews of an image. If the signal aborts, kills the worker and rejects with the signal's reason. */
  run(bytes: Buffer, job: WorkerJob, signal: AbortSignal | undefined): Promise<Answered | Death>
  /** Resolves when the process has exited. */
  kill(): Promise<void>
}

/** Node and sharp start in 0.2 s; a busy machine takes longer. */
const startTimeoutMs = 20_000

/** Three previews of at most 500 × 500 pixels are far smaller, however badly they compress. */
const maxAnswerBytes = 8_388_608

/** Resolves when the worker is ready. Throws PreviewWorkerError. */
export async function startPreviewProcess(settings: PreviewSettings): Promise<PreviewProcess> {
  const { maxBytes, maxPixels, memoryBytes, ffmpeg, timeoutMs } = settings
  const child = spawnWorker({ maxBytes, maxPixels, memoryBytes, ffmpeg, timeoutMs })
  const reader = createFrameReader<WorkerAnswer>(maxAnswerBytes)
  let alive = true
  let jobs = 0
  let stderr = ''
  /** Why this process killed the worker, if it did. */
  let killedFor: Death | undefined
  let onFrame: ((frame: Frame<WorkerAnswer>) => void) | undefined

  const exited = new Promise<Death>((resolve) => {
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
    killGroup(child)
  }

  // Ignores EPIPE of a dead worker: `close` shows how it ended.
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
    const abort = () => kill({ died: 'crash', reason: 'cancelled' })
    signal?.addEventListener('abort', abort, { once: true })
    try {
      const frame = new Promise<Frame<WorkerAnswer>>((resolve) => {
        onFrame = resolve
      })
      const result = await Promise.race([frame, exited])
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
      await exited
    },
  }
}

/** Kills a worker with its ffmpeg process. */
function killGroup({ pid, exitCode, signalCode }: WorkerChild): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  sendSignal(-pid, 'SIGKILL')
}

/** How a worker ended that this process did not kill. Only the kernel and the worker's own check send SIGKILL, both for memory. */
function verdict(code: number | null, signal: NodeJS.Signals | null, stderr: string): [Death['died'], string] {
  if (signal === 'SIGKILL') return ['memory', 'took more memory than allowed']
  const last = stderr.trim().split('\n').at(-1)?.slice(0, 300)
  const outOfMemory = /out of memory|failed to allocate|std::bad_alloc/i.test(stderr)
  return [outOfMemory ? 'memory' : 'crash', `the decoder died with ${signal ?? code}${last ? `: ${last}` : ''}`]
}
