import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { parseConfig } from '../src/config/config.ts'
import { peakMegabytes, startChild } from './child.ts'
import { type Figure, medians, shareOf } from './figure.ts'
import type { PreviewMakerInput, PreviewMakerResult, PreviewMakerRun } from './previewMaker.ts'

const rounds = 8

/** Measures the three previews of typical images: in separate processes with limits, beside sharp alone. */
export const previews: Figure = {
  name: 'previews',
  title: 'Low, medium and high previews of six images: JPEG, PNG, WebP, AVIF and GIF of 1,000 to 2,400 pixels, an SVG',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-'))
    await writeImages(folder)
    const { maxPixels, maxBytes, timeoutMs, memoryBytes, workers, ffmpeg } = parseConfig({}).media
    const settings = { maxPixels, maxBytes, timeoutMs, memoryBytes, workers, ffmpeg }
    const start = (by: PreviewMakerInput['by']) =>
      startChild('./previewMaker.ts', { folder, by, settings } satisfies PreviewMakerInput)
    const own = start('workers')
    const bare = start('sharp')

    async function rate(child: typeof own, job: PreviewMakerRun): Promise<PreviewMakerResult> {
      child.send(job)
      return await child.next<PreviewMakerResult>()
    }
    await rate(own, { rounds: 1 })
    await rate(bare, { rounds: 1 })
    const rows = await medians(5, async () => {
      const byWorkers = await rate(own, { rounds })
      const bySharp = await rate(bare, { rounds })
      if (byWorkers.bytes !== bySharp.bytes) throw new Error('the previews are not the same')
      return [
        { what: 'preview workers', value: byWorkers.perSecond, unit: 'images/s' },
        { what: 'baseline: sharp in process', value: bySharp.perSecond, unit: 'images/s' },
        { what: 'preview workers, of the baseline', ...shareOf(byWorkers.perSecond, bySharp.perSecond, 60) },
      ]
    })
    rows.push(
      { what: 'memory of the server', value: peakMegabytes(own.pid), unit: 'MB' },
      {
        what: 'memory of the server and its workers together',
        value: [own.pid, ...childrenOf(own.pid)].reduce((sum, pid) => sum + peakMegabytes(pid), 0),
        unit: 'MB',
        goal: { atMost: 700 },
      },
      { what: 'memory of the baseline', value: peakMegabytes(bare.pid), unit: 'MB' },
    )
    await own.stop()
    await bare.stop()
    rmSync(folder, { recursive: true })
    return rows
  },
}

/** Writes drawings with edges, gradients and grain, so that every format has something to encode. */
async function writeImages(folder: string): Promise<void> {
  const drawing = (
    width: number,
    height: number,
  ) => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 100 100" preserveAspectRatio="none">
    <linearGradient id="g"><stop stop-color="#d33"/><stop offset="1" stop-color="#33d"/></linearGradient>
    <rect width="100" height="100" fill="url(#g)"/>${Array.from(
      { length: 200 },
      (_, i) =>
        `<circle cx="${(i * 37) % 100}" cy="${(i * 61) % 100}" r="${1 + (i % 7)}" fill="hsl(${i * 9} 80% 50%)" opacity="0.7"/>`,
    ).join('')}</svg>`
  const grain = (width: number, height: number) =>
    sharp(Buffer.from(drawing(width, height))).composite([
      {
        input: {
          create: { width, height, channels: 3, background: '#888', noise: { type: 'gaussian', mean: 128, sigma: 12 } },
        },
        blend: 'soft-light',
      },
    ])
  const sources = {
    'photo.jpg': grain(2_400, 1_800).jpeg(),
    'art.png': grain(1_500, 1_500).removeAlpha().png(),
    'art.webp': grain(2_000, 2_000).webp(),
    'art.avif': grain(1_200, 1_200).avif({ effort: 2 }),
    'loop.gif': grain(1_000, 1_000).gif({ effort: 1 }),
  }
  for (const [name, image] of Object.entries(sources)) writeFileSync(join(folder, name), await image.toBuffer())
  writeFileSync(join(folder, 'drawing.svg'), drawing(350, 350))
}

/** Returns the child processes of a process. It works only on Linux, like `peakMegabytes`. */
function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    const list = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
    return list.trim().split(' ').filter(Boolean).map(Number)
  })
}
