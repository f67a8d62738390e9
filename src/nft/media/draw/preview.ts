/** The kind of a piece of media, by its bytes. */
export type MediaCategory = 'image' | 'video' | 'audio' | 'model' | 'font' | 'document' | 'archive' | 'other'

export type MediaType = { mimetype: string; category: MediaCategory }

/** Known facts of media besides its type. */
export type MediaLength = {
  /** How long it plays, in seconds; null: it does not, or that is not known. */
  duration: number | null
}

export const previewSizes = ['low', 'medium', 'high'] as const

export type PreviewSize = (typeof previewSizes)[number]

/** Side of the square into which a preview of each size fits, in pixels. */
export const previewSides: Record<PreviewSize, number> = { low: 100, medium: 250, high: 500 }

export type Preview = { width: number; height: number; bytes: Buffer; mimetype: 'image/webp' }

/** Why no preview came of an image: its bytes, or what they cost to decode. */
export type PreviewFailure = 'empty' | 'too_large' | 'too_many_pixels' | 'undecodable' | 'time' | 'memory' | 'crash'

/** The outcome of making previews. The same bytes always have the same one, except for `time`, `memory` and `crash`. */
export type PreviewOutcome =
  | ({
      status: 'success'
      /** SHA-256 of the source, hex. */
      parentHash: string
      sizes: Record<PreviewSize, Preview>
    } & MediaType &
      MediaLength)
  /** The format is not drawn, or nothing can be seen in the drawing. */
  | ({ status: 'unsupported_media' } & MediaType & MediaLength)
  | { status: 'failed'; code: PreviewFailure; reason: string }

export type PreviewOptions = {
  mimetype?: string | undefined
  /** Of the whole file where the bytes may be only its start; null: they are, and it is not known. */
  size?: number | null | undefined
  payers?: readonly string[]
  signal?: AbortSignal
  /** Called each time the image leaves a worker, with how long it held that, in milliseconds. */
  onHeld?: (ms: number) => void
}

/** Makes small still images of untrusted bytes that are declared an image. */
export type Previewer = {
  /**
   * Waits for its turn at a worker: the image whose `payers` (the collection, the host) used the workers least is next, and one that
   * takes long yields to it. `mimetype` is the declared type, and never decides alone. Rejects with the signal's
   * reason, with PreviewWorkerError where no worker can be started, and with PreviewerClosedError.
   */
  preview(bytes: Buffer, options?: PreviewOptions): Promise<PreviewOutcome>
  close(): Promise<void>
}

export type PreviewSettings = {
  /** Most pixels of an image; SVG has none. */
  maxPixels: number
  /** Most bytes of an image. */
  maxBytes: number
  /** Longest time for one image. */
  timeoutMs: number
  /** Most resident memory of one worker. */
  memoryBytes: number
  /** Processes at once. */
  workers: number
  /** The program that draws a frame of films; null: films are not drawn. */
  ffmpeg: string | null
}

/** Settings of a worker, as JSON in its only argument. */
export type WorkerInput = Pick<PreviewSettings, 'maxBytes' | 'maxPixels' | 'memoryBytes' | 'ffmpeg'>

/** The head of a job's frame; its body is the image, or the first bytes of a file of `size`. */
export type WorkerJob = Pick<PreviewOptions, 'mimetype' | 'size'>

/** A preview in the body of an answer: the bytes from `from` up to `to`. */
export type SentPreview = { width: number; height: number; from: number; to: number }

/** The head of an answer's frame; the body of a success holds the previews. */
export type WorkerAnswer =
  | { status: 'ready' }
  | ({ status: 'success'; parentHash: string; sizes: Record<PreviewSize, SentPreview> } & MediaType & MediaLength)
  | ({ status: 'unsupported_media' } & MediaType & MediaLength)
  | { status: 'failed'; code: PreviewFailure; reason: string }
