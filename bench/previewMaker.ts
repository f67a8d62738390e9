import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPreviewer } from '../src/nft/media/createPreviewer.ts'
import type { PreviewSettings } from '../src/nft/media/draw/preview.ts'
import { renderPreviews } from '../src/nft/media/draw/renderPreviews.ts'
import { noopLog } from '../src/util/log.ts'
import { answer, childInput } from './child.ts'

/** Makes the previews of every image in a folder for each message, either by the workers or by sharp alone in this process. */
export type PreviewMakerInput = { folder: string; by: 'workers' | 'sharp'; settings: PreviewSettings }
export type PreviewMakerRun = { rounds: number }
export type PreviewMakerResult = { perSecond: number; bytes: number }

/** libuv has as many threads, so sharp alone never makes more at a time. The workers get a queue. */
const inFlight = 4

const { folder, by, settings } = childInput<PreviewMakerInput>()
const types: Record<string, string> = { svg: 'image/svg+xml', jpg: 'image/jpeg' }
const images = readdirSync(folder).map((name) => {
  const format = name.slice(name.lastIndexOf('.') + 1)
  return { bytes: readFileSync(join(folder, name)), mimetype: types[format] ?? `image/${format}` }
})
const previewer = createPreviewer({ settings, log: noopLog })

async function make({ bytes, mimetype }: (typeof images)[number]): Promise<number> {
  const made =
    by === 'workers'
      ? await previewer.preview(bytes)
      : await renderPreviews(bytes, { mimetype, maxPixels: settings.maxPixels })
  if (made.status !== 'success') throw new Error(`no preview of ${mimetype}: ${JSON.stringify(made)}`)
  return made.sizes.high.bytes.length + made.sizes.medium.bytes.length + made.sizes.low.bytes.length
}

async function run({ rounds }: PreviewMakerRun): Promise<PreviewMakerResult> {
  const queue = Array.from({ length: rounds }, () => images).flat()
  const total = queue.length
  let bytes = 0
  const startedAt = performance.now()
  const worker = async () => {
    for (let image = queue.pop(); image; image = queue.pop()) {
      const made = await make(image)
      bytes += made
    }
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  return { perSecond: (total / (performance.now() - startedAt)) * 1_000, bytes }
}

process.on('message', (job: PreviewMakerRun) => void run(job).then(answer))
process.on('SIGTERM', () => void previewer.close().then(() => process.exit(0)))
