import type { MediaType } from './preview.ts'

/** Placeholder for an unknown size: with a smaller one, sounds would end where the known bytes do. Some formats then have no length. */
const unknownSize = 2 ** 40

/**
 * How long a film or a sound plays, in seconds; null if these bytes do not show that. `size`: of the whole file, of which the bytes may be
 * only the start; null: not known. The start suffices where the format states the length in its head, which Ogg does not, nor films whose index is at the end.
 */
export async function readDuration(
  bytes: Buffer,
  { category, size }: MediaType & { size: number | null },
): Promise<number | null> {
  if (category !== 'video' && category !== 'audio') return null
  // Only here: images need none of it.
  const { ALL_FORMATS, CustomSource, Input } = await import('mediabunny')
  const source = new CustomSource({
    getSize: () => size ?? unknownSize,
    read(from, to) {
      if (from >= bytes.length) throw new RangeError('only the start of the file is known')
      const part = new Uint8Array(to - from)
      part.set(bytes.subarray(from, to))
      return part
    },
  })
  try {
    const input = new Input({ source, formats: ALL_FORMATS })
    const duration =
      (await input.getDurationFromMetadata()) ?? (size === bytes.length ? await input.computeDuration() : null)
    return duration !== null && Number.isFinite(duration) && duration > 0 ? Math.round(duration * 1_000) / 1_000 : null
  } catch {
    // Not of the format that its first bytes promise, or cut before what states the length.
    return null
  }
}
