import { onTestFinished } from 'vitest'
import { createPreviewer } from '../src/nft/media/createPreviewer.ts'
import type { Previewer, PreviewOutcome, PreviewSettings } from '../src/nft/media/draw/preview.ts'
import { noopLog } from '../src/util/log.ts'

/** A previewer that is closed with the test. Omitted settings have the configuration's values, with more time for a busy machine. */
export function testPreviewer(settings: Partial<PreviewSettings> = {}, log = noopLog): Previewer {
  const previewer = createPreviewer({ settings: { ...previewSettings, ...settings }, log })
  onTestFinished(() => previewer.close())
  return previewer
}

export const previewSettings: PreviewSettings = {
  maxPixels: 50_000_000,
  maxBytes: 20_971_520,
  timeoutMs: 40_000,
  memoryBytes: 805_306_368,
  workers: 1,
  ffmpeg: null,
}

export type Success = Extract<PreviewOutcome, { status: 'success' }>

export function succeeded(outcome: PreviewOutcome): Success {
  if (outcome.status !== 'success') throw new Error(`no preview: ${JSON.stringify(outcome)}`)
  return outcome
}
