/** A queue from one producer to several consumers, bounded by the weight of its items. */
export type Buffered<T> = {
  /** Adds an item; the producer awaits `capacity` before it makes more. `first`: the item is taken first. */
  add(item: T, weight: number, first?: boolean): void
  /** Resolves when the items weigh less than the capacity, or after `end`. */
  capacity(): Promise<void>
  /** The next item; undefined after `end`, once all items are taken. */
  take(): Promise<T | undefined>
  isEmpty(): boolean
  end(): void
}

type Weighed<T> = { item: T; weight: number }

export function createBuffer<T>(capacity: number): Buffered<T> {
  const urgent: Weighed<T>[] = []
  const others: Weighed<T>[] = []
  const takers: (() => void)[] = []
  const makers: (() => void)[] = []
  let weight = 0
  let ended = false

  const wake = (waiting: (() => void)[]) => {
    for (const go of waiting.splice(0)) go()
  }

  return {
    add(item, itemWeight, first = false) {
      const queue = first ? urgent : others
      queue.push({ item, weight: itemWeight })
      weight += itemWeight
      takers.shift()?.()
    },
    async capacity() {
      while (weight >= capacity && !ended) await new Promise<void>((go) => makers.push(go))
    },
    async take() {
      let next = urgent.shift() ?? others.shift()
      while (!next) {
        if (ended) return undefined
        await new Promise<void>((go) => takers.push(go))
        next = urgent.shift() ?? others.shift()
      }
      weight -= next.weight
      if (weight < capacity) wake(makers)
      return next.item
    },
    isEmpty: () => urgent.length + others.length === 0,
    end() {
      ended = true
      wake(takers)
      wake(makers)
    },
  }
}
