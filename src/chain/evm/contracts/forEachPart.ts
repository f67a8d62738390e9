/** Parts of `size` in order, `atOnce` of them under way. The first fault is thrown. */
export async function forEachPart<T>(
  items: readonly T[],
  { size, atOnce }: { size: number; atOnce: number },
  work: (part: readonly T[], at: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < items.length) {
      const at = next
      next += size
      await work(items.slice(at, at + size), at)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}
