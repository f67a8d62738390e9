import { MintmarkError, UnavailableError } from '../../../util/errors.ts'
import { type PlayedEnding, playedEndings } from '../../../util/playedTypes.ts'
import { type Preview, type PreviewSize, previewSizes } from '../draw/preview.ts'

/** A kept film, sound or animation. Either `open` or `discard` is called, once. */
export type KeptFile = {
  bytes: number
  /** The bytes from `from` to before `to`; cancelling closes the file. */
  open(part: { from: number; to: number }): ReadableStream<Uint8Array>
  discard(): void
}

/** If previews, and films that are played, are kept. The content of a key never changes, so writing it twice is harmless. */
export type PreviewStore = {
  /** Resolves when the preview would survive a crash. Throws PreviewStoreError, InvalidPreviewKeyError. */
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** undefined: there is no such preview. Throws PreviewStoreError, InvalidPreviewKeyError. */
  get(key: string): Promise<{ bytes: Buffer; contentType: string } | undefined>
  /** A kept file, which is as long as its source; undefined: there is none. Throws PreviewStoreError, InvalidPreviewKeyError. */
  open(key: string): Promise<KeptFile | undefined>
  /** Removes files where the reserve of their disk is not free; false: it is not free all the same. Omitted: they are on no disk. */
  keepReserve?(): Promise<boolean>
  close(): Promise<void>
}

/** The disk or the bucket failed; the preview may exist all the same. */
export class PreviewStoreError extends UnavailableError {}

/** An error of the caller: keys are made by `previewKey`. */
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

/** The two parts of a key, neither of which can lead out of a folder. */
export function parseKey(key: string): { hash: string; file: string } {
  const match = keyPattern.exec(key)
  if (!match) throw new InvalidPreviewKeyError(`${JSON.stringify(key.slice(0, 100))} is no key of a preview`)
  return { hash: match[1]!, file: match[2]! }
}

/** Keeps all sizes of a source. */
export async function putPreviews(
  store: PreviewStore,
  { parentHash, sizes }: { parentHash: string; sizes: Record<PreviewSize, Preview> },
): Promise<void> {
  await Promise.all(
    previewSizes.map((size) => store.put(previewKey(parentHash, size), sizes[size].bytes, sizes[size].mimetype)),
  )
}
