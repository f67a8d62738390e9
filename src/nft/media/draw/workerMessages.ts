import type { MediaCategory, PreviewFailure, PreviewSize } from './preview.ts'

/** What the worker is started with, as JSON in its only argument. */
export type WorkerInput = { maxBytes: number; maxPixels: number; memoryBytes: number }

/** The body of the frame is the image. */
export type WorkerJob = { mimetype?: string | undefined }

export type SentPreview = { width: number; height: number; from: number; to: number }

/** The body of a success holds the previews; `from` and `to` say where. */
export type WorkerAnswer =
  | { status: 'ready' }
  | { status: 'success'; mimetype: string; parentHash: string; sizes: Record<PreviewSize, SentPreview> }
  | { status: 'unsupported_media'; mimetype: string; category: MediaCategory }
  | { status: 'failed'; code: PreviewFailure; reason: string }
