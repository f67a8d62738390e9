/** Looks up one name; concurrent lookups share a read. */
export type Batches<T> = (name: string) => Promise<T | undefined>

/**
 * Runs one `read` at a time, with up to `most` names requested meanwhile. So many callers cost no more than one
 * continuous caller. `pauseMs`: pause before each read. A name being read is not read again. An error of `read` rejects
 * its whole batch.
 */
export function createBatches<T>(options: {
  read(names: string[]): Promise<ReadonlyMap<string, T>>
  most: number
  pauseMs?: number
}): Batches<T> {
  const { read, most, pauseMs = 0 } = options
  const waiting = new Map<string, PromiseWithResolvers<T | undefined>>()
  const underWay = new Map<string, Promise<T | undefined>>()
  let reading = false

  async function readOn(): Promise<void> {
    while (waiting.size > 0) {
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs).unref())
      const batch = [...waiting].slice(0, most)
      for (const [name, { promise }] of batch) {
        waiting.delete(name)
        underWay.set(name, promise)
      }
      try {
        const found = await read(batch.map(([name]) => name))
        for (const [name, { resolve }] of batch) resolve(found.get(name))
      } catch (error) {
        for (const [, { reject }] of batch) reject(error)
      }
      for (const [name] of batch) underWay.delete(name)
    }
    reading = false
  }

  return (name) => {
    const known = underWay.get(name) ?? waiting.get(name)?.promise
    if (known) return known
    const requested = Promise.withResolvers<T | undefined>()
    waiting.set(name, requested)
    if (!reading) {
      reading = true
      // Calls in the same turn of the event loop share the batch.
      queueMicrotask(() => void readOn())
    }
    return requested.promise
  }
}
