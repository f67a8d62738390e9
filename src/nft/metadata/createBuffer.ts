/** Work on its way from one who makes it to several who take it, bounded by its weight. */
export type Buffered<T> = {
  /** Adds at once; whoever adds waits for `room` before it makes more. */
  add(item: T, weight: number): void
  /** When less than the capacity is held, or nobody will take any more. */
  room(): Promise<void>
  /** The next one; undefined when it has ended and all is taken. */
  take(): Promise<T | undefined>
  end(): void
}

export function createBuffer<T>(capacity: number): Buffered<T> {
  const held: { item: T; weight: number }[] = []
  const takers: (() => void)[] = []
  const makers: (() => void)[] = []
  let next = 0
  let weight = 0
  let ended = false

  const wake = (waiting: (() => void)[]) => {
    for (const go of waiting.splice(0)) go()
  }

  return {
    add(item, itemWeight) {
      held.push({ item, weight: itemWeight })
      weight += itemWeight
      takers.shift()?.()
    },
    async room() {
      while (weight >= capacity && !ended) await new Promise<void>((go) => makers.push(go))
    },
    async take() {
      while (next === held.length) {
        if (ended) return undefined
        await new Promise<void>((go) => takers.push(go))
      }
      const { item, weight: taken } = held[next++]!
      weight -= taken
      // Taken places are given back now and then: shifting each time would move all the others.
      if (next === held.length || next > 1_000) {
        held.splice(0, next)
        next = 0
      }
      if (weight < capacity) wake(makers)
      return item
    },
    end() {
      ended = true
      wake(takers)
      wake(makers)
    },
  }
}
