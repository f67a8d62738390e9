import { createHash } from 'node:crypto'
import { detectType } from './detectType.ts'
import { drawVideo } from './drawVideo.ts'
import { createFrameReader, encodeFrame } from './frame.ts'
import type { SentPreview, WorkerAnswer, WorkerInput, WorkerJob } from './preview.ts'
import { type PreviewSize, previewSizes } from './preview.ts'
import { readDuration } from './readDuration.ts'
import { isRendered, renderPreviews, restrictSharp } from './renderPreviews.ts'

// Program of a preview worker, a separate process. Jobs arrive on standard input, one at a time, and answers go to standard output. It holds no
// secret, and may be killed at any moment.

const { maxBytes, maxPixels, memoryBytes, ffmpeg, timeoutMs } = JSON.parse(process.argv[2]!) as WorkerInput
restrictSharp()

/**
 * Decoding runs in other threads, so this one can watch memory: 20 ms are too short to fill 200 MB. The worker ends by SIGKILL, as a regular exit
 * would wait for those threads.
 */
const watch = setInterval(() => {
  if (process.memoryUsage.rss() > memoryBytes) end()
}, 20)
watch.unref()

const reader = createFrameReader<WorkerJob>(maxBytes)
process.stdin.on('data', (chunk: Buffer) => {
  for (const { head, body } of reader.push(chunk)) void work(head, body)
})
// The server has exited, perhaps by kill -9, while this image may take minutes.
process.stdin.on('end', end)
send({ status: 'ready' })

/** Ends this process and its ffmpeg process: a worker leads a process group. */
function end(): void {
  process.kill(-process.pid, 'SIGKILL')
}

async function work(job: WorkerJob, bytes: Buffer): Promise<void> {
  const type = await detectType(bytes, job.mimetype)
  const { size = bytes.length } = job
  const isRead = isRendered(type.mimetype)
  const drawn =
    !isRead && ffmpeg !== null && size === bytes.length
      ? // A video that takes longer has no preview image, but a type and a duration.
        await drawVideo(bytes, { ...type, maxPixels, ffmpeg, timeoutMs: timeoutMs >> 1 })
      : undefined
  const isLate = drawn === 'late'
  const frame = isLate ? undefined : drawn
  const image = isRead ? { bytes, mimetype: type.mimetype } : frame && { bytes: frame, mimetype: 'image/png' }
  const played = isRead ? null : await readDuration(bytes, { ...type, size })
  if (!image) return send({ status: 'unsupported_media', ...type, duration: played, ...(isLate && { isLate }) })
  const rendering = await renderPreviews(image.bytes, { mimetype: image.mimetype, maxPixels })
  if (rendering.status === 'failed')
    return send(isRead ? rendering : { status: 'unsupported_media', ...type, duration: played })
  const media = { ...type, duration: isRead ? rendering.duration : played }
  if (rendering.status === 'blank') return send({ status: 'unsupported_media', ...media })
  const parentHash = createHash('sha256').update(bytes).digest('hex')
  const body: Buffer[] = []
  let end = 0
  const sizes = {} as Record<PreviewSize, SentPreview>
  for (const size of previewSizes) {
    const { width, height, bytes } = rendering.sizes[size]
    sizes[size] = { width, height, from: end, to: end + bytes.length }
    body.push(bytes)
    end += bytes.length
  }
  send({ status: 'success', ...media, parentHash, sizes }, body)
}

function send(answer: WorkerAnswer, body: readonly Buffer[] = []): void {
  for (const part of encodeFrame(answer, body)) process.stdout.write(part)
}
