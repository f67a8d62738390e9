/** Media category, by content. */
export type MediaCategory = 'image' | 'video' | 'audio' | 'model' | 'font' | 'document' | 'archive' | 'other'

export type MediaType = { mimetype: string; category: MediaCategory }

/** Duration and similar facts of media. */
export type MediaLength = {
  /** Playing time in seconds; null: none or unknown. */
  duration: number | null
}

export const previewSizes = ['low', 'medium', 'high'] as const

export type PreviewSize = (typeof previewSizes)[number]

/** Largest side of each preview size, in pixels. */
export const previewSides: Record<PreviewSize, number> = { low: 100, medium: 250, high: 500 }

export type Preview = { width: number; height: number; bytes: Buffer; mimetype: 'image/webp' }

/** Why an image has no preview: its bytes, or the cost of decoding. */
export type PreviewFailure = 'empty' | 'too_large' | 'too_many_pixels' | 'undecodable' | 'time' | 'memory' | 'crash'

/** The outcome of making previews. The same bytes always have the same one, except `time`, `memory` and `crash`. */
export type PreviewOutcome =
  | ({
      status: 'success'
      /** SHA-256 of the source, hex. */
      parentHash: string
      sizes: Record<PreviewSize, Preview>
    } & MediaType &
      MediaLength)
  /** The format is not supported, or nothing is visible; `isLate`: only drawing took too long. */
  | ({ status: 'unsupported_media'; isLate?: true } & MediaType & MediaLength)
  | { status: 'failed'; code: PreviewFailure; reason: string }

export type PreviewOptions = {
  mimetype?: string | undefined
  /** Size of the whole file, if the bytes may be only its start; null: they are, and it is unknown. */
  size?: number | null | undefined
  payers?: readonly string[]
  signal?: AbortSignal
  /** Called each time the image leaves a worker, with the time it used, in milliseconds. */
  onHeld?: (ms: number) => void
}

/** Makes small still images of untrusted bytes. */
export type Previewer = {
  /**
   * Waits for a worker: the image whose `payers` (the collection, the host) used workers least is next, and one that takes long yields to it.
   * `mimetype` is the declared type, which never decides alone. Rejects with the signal's reason, with PreviewWorkerError if no worker can be
   * started, and with PreviewerClosedError.
   */
  preview(bytes: Buffer, options?: PreviewOptions): Promise<PreviewOutcome>
  /** The settings that decide outcomes. */
  readonly limits: string
  close(): Promise<void>
}

export type PreviewSettings = {
  /** Most pixels of an image; does not apply to SVG. */
  maxPixels: number
  /** Most bytes of an image. */
  maxBytes: number
  /** Timeout per image. */
  timeoutMs: number
  /** Memory limit of a worker. */
  memoryBytes: number
  /** Number of processes. */
  workers: number
  /** Program that draws a frame of videos; null: videos are not drawn. */
  ffmpeg: string | null
}

/** Settings of a worker, as JSON in its only argument. */
export type WorkerInput = Pick<PreviewSettings, 'maxBytes' | 'maxPixels' | 'memoryBytes' | 'ffmpeg' | 'timeoutMs'>

/** Head of a job's frame; its body is the image, or the first bytes of a file of `size`. */
export type WorkerJob = Pick<PreviewOptions, 'mimetype' | 'size'>

/** A preview in the body of an answer: bytes `from` to before `to`. */
export type SentPreview = { width: number; height: number; from: number; to: number }

/** Head of an answer's frame; its body has the previews. */
export type WorkerAnswer =
  | { status: 'ready' }
  | ({ status: 'success'; parentHash: string; sizes: Record<PreviewSize, SentPreview> } & MediaType & MediaLength)
  | ({ status: 'unsupported_media'; isLate?: true } & MediaType & MediaLength)
  | { status: 'failed'; code: PreviewFailure; reason: string }
