import { performance } from 'node:perf_hooks'
import type { Metrics } from '../../metrics/metrics.ts'
import { MintmarkError } from '../../util/errors.ts'
import type { Log } from '../../util/log.ts'
import { createSlices, type Slice } from './createSlices.ts'
import type {
  Previewer,
  PreviewFailure,
  PreviewOptions,
  PreviewOutcome,
  PreviewSettings,
  PreviewSize,
  WorkerJob,
} from './draw/preview.ts'
import { type Answered, type PreviewProcess, startPreviewProcess } from './draw/previewProcess.ts'

export type PreviewerOptions = {
  settings: PreviewSettings
  log: Log
  metrics?: Pick<Metrics, 'previews' | 'previewSeconds'>
}

/** The previewer was closed before it read the image. */
export class PreviewerClosedError extends MintmarkError {
  readonly code = 'PREVIEWER_CLOSED'
  override readonly retryable = true
}

/** Idle time after which a worker is stopped, as it holds 80 MB. */
const idleMs = 30_000

type Slot = { process: PreviewProcess | undefined; timer: NodeJS.Timeout | undefined }

/** After this time, a worker yields to an image of payers with less usage. */
const quantumMs = 1_000

/** Draws with a few worker processes, which are started on demand and replaced when they exit. */
export function createPreviewer({ settings, log, metrics }: PreviewerOptions): Previewer {
  const { maxPixels, maxBytes, timeoutMs, memoryBytes, workers, ffmpeg } = settings
  const slots = createSlices<Slot>({
    things: Array.from({ length: workers }, () => ({ process: undefined, timer: undefined })),
    quantumMs,
    longestMs: timeoutMs,
  })
  const closing = new AbortController()
  let closed: Promise<void> | undefined

  async function work(slice: Slice<Slot>, bytes: Buffer, job: WorkerJob, signal: AbortSignal): Promise<PreviewOutcome> {
    const slot = slice.thing
    for (;;) {
      if (!slot.process?.alive) {
        slot.process = await startPreviewProcess(settings)
        log.debug({ pid: slot.process.pid }, 'preview worker started')
        // The start is not charged: the image of another payer may have ended the worker before.
        slice.startClock()
      }
      const worker = slot.process
      const fresh = worker.jobs === 0
      const result = await worker.run(bytes, job, signal)
      if (!('died' in result)) return outcomeOf(result)
      log.warn({ pid: worker.pid, bytes: bytes.length, jobs: worker.jobs, ...result }, 'preview worker crashed')
      // Memory of earlier images may have ended the worker, so this image is retried once in a fresh one.
      if (fresh || result.died === 'time') return failed(result.died, result.reason)
    }
  }

  async function preview(
    bytes: Buffer,
    job: WorkerJob,
    options: { payers: readonly string[]; signal: AbortSignal; onHeld: PreviewOptions['onHeld'] },
  ): Promise<PreviewOutcome> {
    const { payers, signal, onHeld } = options
    signal.throwIfAborted()
    if (bytes.length === 0) return failed('empty', 'there are no bytes')
    if (bytes.length > maxBytes) return failed('too_large', `has ${bytes.length} bytes; allowed: ${maxBytes}`)
    for (;;) {
      const slice = await slots.take(payers, signal)
      const slot = slice.thing
      clearTimeout(slot.timer)
      const startedAt = performance.now()
      try {
        return await work(slice, bytes, job, AbortSignal.any([signal, slice.preempted]))
      } catch (error) {
        signal.throwIfAborted()
        if (!slice.preempted.aborted) throw error
        log.debug({ payers, bytes: bytes.length }, 'preview image preempted by another key')
      } finally {
        const heldMs = performance.now() - startedAt
        onHeld?.(heldMs)
        metrics?.previewSeconds.observe(heldMs / 1_000)
        slot.timer = setTimeout(() => void slot.process?.kill(), idleMs).unref()
        slice.end()
      }
    }
  }

  async function close(): Promise<void> {
    closing.abort(new PreviewerClosedError('the previewer was closed'))
    for (let i = 0; i < workers; i++) {
      const { thing } = await slots.take([])
      clearTimeout(thing.timer)
      await thing.process?.kill()
    }
  }

  return {
    limits: JSON.stringify({ maxPixels, maxBytes, timeoutMs, memoryBytes, ffmpeg }),
    async preview(bytes, { mimetype, size, payers = [], signal, onHeld } = {}) {
      const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
      const outcome = await preview(bytes, { mimetype, size }, { payers, signal: either, onHeld })
      metrics?.previews.inc({ result: outcome.status === 'failed' ? outcome.code : outcome.status })
      return outcome
    },
    close() {
      closed ??= close()
      return closed
    },
  }
}

function failed(code: PreviewFailure, reason: string): PreviewOutcome {
  return { status: 'failed', code, reason }
}

function outcomeOf({ answer, body }: Answered): PreviewOutcome {
  if (answer.status !== 'success') return answer
  const { mimetype, category, duration, parentHash, sizes } = answer
  const cut = (size: PreviewSize) => {
    const { width, height, from, to } = sizes[size]
    // A copy, so that one preview does not retain the others of its frame.
    return { width, height, bytes: Buffer.from(body.subarray(from, to)), mimetype: 'image/webp' as const }
  }
  return {
    status: 'success',
    mimetype,
    category,
    duration,
    parentHash,
    sizes: { low: cut('low'), medium: cut('medium'), high: cut('high') },
  }
}
