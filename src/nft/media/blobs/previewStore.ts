import { MintmarkError, UnavailableError } from '../../../util/errors.ts'
import { type PlayedEnding, playedEndings } from '../../../util/playedTypes.ts'
import { type Preview, type PreviewSize, previewSizes } from '../draw/preview.ts'

/** A kept video, audio file or animation. Exactly one of `open` and `discard` is called, once. */
export type KeptFile = {
  bytes: number
  /** The bytes from `from` to before `to`; cancelling closes the file. */
  open(part: { from: number; to: number }): ReadableStream<Uint8Array>
  discard(): void
}

/** Stores previews, and videos. The content of a key never changes, so writing it twice is harmless. */
export type PreviewStore = {
  /** Resolves when the preview is durable. Throws PreviewStoreError, InvalidPreviewKeyError. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** undefined: it does not exist. Throws PreviewStoreError, InvalidPreviewKeyError. */
  get(key: string): Promise<{ bytes: Buffer; contentType: string } | undefined>
  /**
   * A kept file, as long as its source; undefined: it does not exist. Throws PreviewStoreError, InvalidPreviewKeyError.
   */
  open(key: string): Promise<KeptFile | undefined>
  /**
   * Removes files if their disk has less free space than its reserve; false: that did not suffice. Omitted: the store
   * has no disk.
   */
  keepReserve?(): Promise<boolean>
  close(): Promise<void>
}

/** The disk or the bucket failed; the preview may exist anyway. */
export class PreviewStoreError extends UnavailableError {}

/** A bug of the caller, as `previewKey` makes keys. */
export class InvalidPreviewKeyError extends MintmarkError {
  readonly code = 'INVALID_PREVIEW_KEY'
}

const keyPattern = new RegExp(`^([0-9a-f]{64})/((?:low|medium|high)\\.webp|file\\.(?:${playedEndings.join('|')}))$`)

/** `<sha-256 of the source>/<size>.webp`, also the path below `/media/`. */
export function previewKey(parentHash: string, size: PreviewSize): string {
  return `${parentHash}/${size}.webp`
}

/** `<sha-256 of the file>/file.<ending>`, also the path below `/media/`. */
export function fileKey(hash: string, ending: PlayedEnding): string {
  return `${hash}/file.${ending}`
}

/** The two parts of a key, neither of which can leave a folder. */
export function parseKey(key: string): { hash: string; file: string } {
  const match = keyPattern.exec(key)
  if (!match) throw new InvalidPreviewKeyError(`${JSON.stringify(key.slice(0, 100))} is no key of a preview`)
  return { hash: match[1]!, file: match[2]! }
}

/** Stores all sizes of a source. */
export async function putPreviews(
  store: PreviewStore,
  { parentHash, sizes }: { parentHash: string; sizes: Record<PreviewSize, Preview> },
): Promise<void> {
  await Promise.all(
    previewSizes.map((size) => store.put(previewKey(parentHash, size), sizes[size].bytes, sizes[size].mimetype)),
  )
}
