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

export type Slots = <T>(call: () => Promise<T>, options?: { isFirst?: boolean }) => Promise<T>

/** Runs at most `atOnce` concurrent calls. Further ones wait, and start in the order in which they came; `isFirst`: before the others. */
export function createSlots(atOnce: number): Slots {
  let running = 0
  const waiting: (() => void)[] = []
  return async (call, { isFirst = false } = {}) => {
    // A call that ends passes its slot on to the first one that waits.
    if (running < atOnce) running++
    else await new Promise<void>((start) => (isFirst ? waiting.unshift(start) : waiting.push(start)))
    try {
      return await call()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
