import type { MediaCategory, PreviewFailure, PreviewSize } from './preview.ts'

/** Settings of a worker, as JSON in its only argument. */
export type WorkerInput = { maxBytes: number; maxPixels: number; memoryBytes: number }

/** The head of a job's frame; its body is the image. */
export type WorkerJob = { mimetype?: string | undefined }

/** A preview in the body of an answer: the bytes from `from` up to `to`. */
export type SentPreview = { width: number; height: number; from: number; to: number }

/** The head of an answer's frame; the body of a success holds the previews. */
export type WorkerAnswer =
  | { status: 'ready' }
  | { status: 'success'; mimetype: string; parentHash: string; sizes: Record<PreviewSize, SentPreview> }
  | { status: 'unsupported_media'; mimetype: string; category: MediaCategory }
  | { status: 'failed'; code: PreviewFailure; reason: string }
