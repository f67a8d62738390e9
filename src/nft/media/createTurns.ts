import { createLru } from '../../util/createLru.ts'
import { largest } from '../../util/extremes.ts'

/** A few things that are lent one at a time: next is the asker whose payers used them least. */
export type Turns<T> = {
  /**
   * Resolves when it is the asker's turn. `payers` name who uses the thing, each place a kind of its own, such as first a
   * collection and then a host: the time is charged to each, and the asker waits as the one that used most. An asker without payers
   * is next. Rejects with the signal's reason.
   */
  take(payers: readonly string[], signal?: AbortSignal): Promise<Turn<T>>
}

export type Turn<T> = {
  thing: T
  /** Aborts when an asker who used less waits: the turn has to be ended, and may be asked for again. */
  preempted: AbortSignal
  /** The time up to now is charged to no payer. */
  startClock(): void
  end(): void
}

export type TurnsOptions<T> = {
  things: readonly T[]
  /** A turn is not preempted before it had this long, in milliseconds. */
  quantumMs: number
  /** What a turn under way counts for while others are chosen, so that one asker does not get all things at once. */
  longestMs: number
  /** Milliseconds that only go up. */
  now?: () => number
}

type Waiting<T> = { payers: readonly string[]; begin: (thing: T) => void }

type Running = { payers: readonly string[]; startedAt: number; preempt: AbortController }

/** Payers remembered. One that was forgotten counts as one that comes for the first time. */
const mostPayers = 10_000

/**
 * Start-time fair queueing (Goyal, Vin, Cheng 1996) with two additions: a turn has several payers, and one that takes long
 * is preempted where an asker waits whose payers used less. The turn that began first is let go to its end, so that long
 * ones come to an end too; of a single thing none is preempted. The thing given back last is lent first: under little
 * load the same few stay warm.
 */
export function createTurns<T>(options: TurnsOptions<T>): Turns<T> {
  const { things, quantumMs, longestMs, now = () => performance.now() } = options
  const free = [...things]
  const waiting = new Set<Waiting<T>>()
  /** In the order in which they began. */
  const running = new Set<Running>()
  /** Time used in turns that ended, in milliseconds, on a scale that begins for every payer at the floor. */
  const accounts = createLru<string, number>(mostPayers)
  /** By kind, where the payer stood who had a turn last: a payer that rested meanwhile saved up nothing. */
  const floors: number[] = []

  const used = (payer: string, kind: number): number => Math.max(floors[kind] ?? 0, accounts.get(payer) ?? 0)
  const runningFor = (payer: string): Running[] => [...running].filter(({ payers }) => payers.includes(payer))

  /** What counts when the next one is chosen: of each payer, the most first. */
  function rank(payers: readonly string[]): number[] {
    return payers.map((payer, kind) => used(payer, kind) + longestMs * runningFor(payer).length).sort((a, b) => b - a)
  }

  function next(): Waiting<T> | undefined {
    let best: Waiting<T> | undefined
    let bestRank: number[] = []
    for (const one of waiting) {
      const itsRank = rank(one.payers)
      if (best && compareRanks(itsRank, bestRank) >= 0) continue
      best = one
      bestRank = itsRank
    }
    return best
  }

  function begin(payers: readonly string[], thing: T): Turn<T> {
    for (const [kind, payer] of payers.entries()) floors[kind] = used(payer, kind)
    const turn: Running = { payers, startedAt: now(), preempt: new AbortController() }
    running.add(turn)
    const timer = setInterval(review, quantumMs).unref()
    return {
      thing,
      preempted: turn.preempt.signal,
      startClock() {
        turn.startedAt = now()
      },
      end() {
        if (!running.delete(turn)) return
        clearInterval(timer)
        const ms = now() - turn.startedAt
        for (const [kind, payer] of payers.entries()) accounts.set(payer, used(payer, kind) + ms)
        const one = next()
        if (!one) free.push(thing)
        else {
          waiting.delete(one)
          one.begin(thing)
        }
      },
    }
  }

  /** What both pay for does not tell them apart. */
  function usedLess(one: Waiting<T>, turn: Running): boolean {
    const most = (payers: readonly string[], others: readonly string[]) =>
      largest(
        payers.map((payer, kind) =>
          others.includes(payer)
            ? Number.NEGATIVE_INFINITY
            : runningFor(payer).reduce((sum, { startedAt }) => sum + now() - startedAt, used(payer, kind)),
        ),
      )
    return most(one.payers, turn.payers) < most(turn.payers, one.payers)
  }

  /** At most one turn is taken away at a time: its thing is on the way to the asker that waits. */
  function review(): void {
    const turns = [...running]
    if (turns.some(({ preempt }) => preempt.signal.aborted)) return
    const one = next()
    if (!one) return
    const victim = turns
      .slice(1)
      .filter((turn) => now() - turn.startedAt >= quantumMs && usedLess(one, turn))
      .at(-1)
    victim?.preempt.abort()
  }

  return {
    async take(payers, signal) {
      signal?.throwIfAborted()
      const thing = free.pop()
      if (thing !== undefined) return begin(payers, thing)
      const { promise, resolve, reject } = Promise.withResolvers<Turn<T>>()
      const one: Waiting<T> = { payers, begin: (given) => resolve(begin(payers, given)) }
      const onAbort = () => {
        waiting.delete(one)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      waiting.add(one)
      review()
      return promise.finally(() => signal?.removeEventListener('abort', onAbort))
    },
  }
}

/** From the first difference on; fewer payers of the same use come first. */
function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}
