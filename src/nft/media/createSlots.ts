/** A few things that are lent one at a time, first come first served. */
export type Slots<T> = {
  /** Rejects with the signal's reason. */
  take(signal?: AbortSignal): Promise<T>
  give(slot: T): void
}

/** The one given back last is lent first, so that under little load the same few stay warm and the others rest. */
export function createSlots<T>(all: readonly T[]): Slots<T> {
  const free = [...all]
  const waiting = new Set<(slot: T) => void>()

  return {
    async take(signal) {
      signal?.throwIfAborted()
      const slot = free.pop()
      if (slot !== undefined) return slot
      return await new Promise<T>((resolve, reject) => {
        const onAbort = () => {
          waiting.delete(onSlot)
          reject(signal?.reason)
        }
        const onSlot = (given: T) => {
          signal?.removeEventListener('abort', onAbort)
          resolve(given)
        }
        signal?.addEventListener('abort', onAbort, { once: true })
        waiting.add(onSlot)
      })
    },
    give(slot) {
      for (const first of waiting) {
        waiting.delete(first)
        first(slot)
        return
      }
      free.push(slot)
    },
  }
}
