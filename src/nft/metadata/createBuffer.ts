/** Work on its way from one who makes it to several who take it, bounded by its weight. */
export type Buffered<T> = {
  /** Adds at once; the producer waits for `room` before it makes more. `first`: taken before all that are not. */
  add(item: T, weight: number, first?: boolean): void
  /** Resolves when less than the capacity is held, or the consumers have ended. */
  room(): Promise<void>
  /** The next one; undefined when it has ended and all is taken. */
  take(): Promise<T | undefined>
  /** Resolves when one has been taken, or the consumers have ended. */
  taken(): Promise<void>
  isEmpty(): boolean
  end(): void
}

type Weighed<T> = { item: T; weight: number }

export function createBuffer<T>(capacity: number): Buffered<T> {
  const watchers: (() => void)[] = []
  const urgent = createQueue<Weighed<T>>()
  const others = createQueue<Weighed<T>>()
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
    async room() {
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
      wake(watchers)
      return next.item
    },
    taken: () => (ended ? Promise.resolve() : new Promise((go) => watchers.push(go))),
    isEmpty: () => urgent.isEmpty() && others.isEmpty(),
    end() {
      ended = true
      wake(watchers)
      wake(takers)
      wake(makers)
    },
  }
}

/** First in, first out, in constant time however many there are. */
function createQueue<T>() {
  const held: T[] = []
  let next = 0
  return {
    isEmpty: () => next === held.length,
    push: (item: T) => void held.push(item),
    shift(): T | undefined {
      if (next === held.length) return undefined
      const item = held[next++]!
      // Taken places are given back now and then: shifting each time would move all the others.
      if (next === held.length || next > 1_000) {
        held.splice(0, next)
        next = 0
      }
      return item
    },
  }
}
