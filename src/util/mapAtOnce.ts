/**
 * What `work` makes of each item, in the order of the items, `atOnce` of them under way. The first fault is thrown at once; what is
 * under way then goes on unheard, and nothing further is begun.
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

/** Gives `work` parts of `size` items each, with the place of the part's first item, `atOnce` of them under way. */
export async function forEachPart<T>(
  items: readonly T[],
  { size, atOnce }: { size: number; atOnce: number },
  work: (part: readonly T[], at: number) => Promise<void>,
): Promise<void> {
  const places = Array.from({ length: Math.ceil(items.length / size) }, (_, i) => i * size)
  await mapAtOnce(places, atOnce, (at) => work(items.slice(at, at + size), at))
}
