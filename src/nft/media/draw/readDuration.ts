import type { MediaType } from './preview.ts'

/** Placeholder for an unknown size: with a smaller one, audio would end with the known bytes. Some formats then have no duration. */
const unknownSize = 2 ** 40

/**
 * Duration of a video or audio file, in seconds; null if these bytes do not show it. `size`: of the whole file, if the bytes may be only its start; null:
 * unknown. The start suffices if the format states the duration there. Ogg does not, nor videos with an index at the end.
 */
export async function readDuration(
  bytes: Buffer,
  { category, size }: MediaType & { size: number | null },
): Promise<number | null> {
  if (category !== 'video' && category !== 'audio') return null
  // Imported on demand: images do not need it.
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
    // The content does not match its first bytes, or is truncated before the duration.
    return null
  }
}
