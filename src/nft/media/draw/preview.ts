/** What a piece of media is, by its bytes. */
export type MediaCategory = 'image' | 'video' | 'audio' | 'model' | 'font' | 'document' | 'archive' | 'other'

export type MediaType = { mimetype: string; category: MediaCategory }

export const previewSizes = ['low', 'medium', 'high'] as const

export type PreviewSize = (typeof previewSizes)[number]

/** The square, in pixels, that a size fits into. */
export const previewSides: Record<PreviewSize, number> = { low: 100, medium: 250, high: 500 }

export type Preview = { width: number; height: number; bytes: Buffer; mimetype: 'image/webp' }

/** Why no preview came of an image: its bytes, or what they cost to decode. */
export type PreviewFailure = 'empty' | 'too_large' | 'too_many_pixels' | 'undecodable' | 'time' | 'memory' | 'crash'

/** What came of making previews: of the same bytes always the same, but for `time`, `memory` and `crash`. */
export type PreviewOutcome =
  | {
      status: 'success'
      mimetype: string
      category: 'image'
      /** SHA-256 of the source, hex. */
      parentHash: string
      sizes: Record<PreviewSize, Preview>
    }
  /** Of a format that is not drawn, or drawn so that nothing can be seen. */
  | { status: 'unsupported_media'; mimetype: string; category: MediaCategory }
  | { status: 'failed'; code: PreviewFailure; reason: string }

export type PreviewOptions = {
  mimetype?: string | undefined
  payers?: readonly string[]
  signal?: AbortSignal
  /** Told how long the image held a worker, in milliseconds, for each time that it did. */
  onHeld?: (ms: number) => void
}

/** Makes small still images of what a stranger calls an image. */
export type Previewer = {
  /**
   * Waits for its turn at a worker: whose `payers` (the collection, the host) used the workers least is next, and an image
   * that takes long gives way to theirs. `mimetype` is what the stranger says, and never decides alone. Rejects with the
   * signal's reason, with PreviewWorkerError where no worker can be started, and with PreviewerClosedError.
   */
  preview(bytes: Buffer, options?: PreviewOptions): Promise<PreviewOutcome>
  close(): Promise<void>
}

export type PreviewSettings = {
  /** Most pixels of an image; SVG has none. */
  maxPixels: number
  /** Longest source. */
  maxBytes: number
  /** Longest time at one image. */
  timeoutMs: number
  /** Most resident memory of one worker. */
  memoryBytes: number
  /** Processes at once. */
  workers: number
}
