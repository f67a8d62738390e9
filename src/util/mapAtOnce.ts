/**
 * The results of `work` for each item, in the order of the items, with at most `atOnce` concurrent calls. The first error is thrown at once: no
 * further call starts, and the results of running calls are ignored.
 */
export async function mapAtOnce<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, place: number) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length)
  let next = 0
  const loop = async () => {
    for (let place = next++; place < items.length; place = next++)
      try {
        results[place] = await work(items[place]!, place)
      } catch (error) {
        next = items.length
        throw error
      }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, loop))
  return results
}

/** Calls `work` with parts of `size` items each and the index of the part's first item, with at most `atOnce` concurrent calls. */
export async function forEachPart<T>(
  items: readonly T[],
  { size, atOnce }: { size: number; atOnce: number },
  work: (part: readonly T[], at: number) => Promise<void>,
): Promise<void> {
  const places = Array.from({ length: Math.ceil(items.length / size) }, (_, i) => i * size)
  await mapAtOnce(places, atOnce, (at) => work(items.slice(at, at + size), at))
}
