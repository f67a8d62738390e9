/** Looks up one name; names that are requested at the same time share a read. */
export type Batches<T> = (name: string) => Promise<T | undefined>

/**
 * Runs one `read` at a time, with the names that were requested meanwhile, at most `most` of them: many callers cost no more than one
 * caller that never stops. `pauseMs`: longest time between two reads. A name that is being read is not read again. Rejects with what
 * `read` rejects with, for all of that batch.
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
    const asked = Promise.withResolvers<T | undefined>()
    waiting.set(name, asked)
    if (!reading) {
      reading = true
      // Calls in the same turn of the event loop join the batch.
      queueMicrotask(() => void readOn())
    }
    return asked.promise
  }
}
