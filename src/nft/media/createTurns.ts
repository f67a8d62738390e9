import { createLru } from '../../util/createLru.ts'
import { largest } from '../../util/extremes.ts'

/** A few things that are lent in turns: next is the request whose payers used them least. */
export type Turns<T> = {
  /**
   * Resolves when it is the request's turn. `payers`: the names that the time is charged to, each at the place of its kind, such as first
   * the collection and then the host. Of several payers the one that used most decides how long the request waits; a request without
   * payers is next. Rejects with the signal's reason.
   */
  take(payers: readonly string[], signal?: AbortSignal): Promise<Turn<T>>
}

export type Turn<T> = {
  thing: T
  /** Aborts when a request waits whose payers used less: the turn has to be ended, and may be requested again. */
  preempted: AbortSignal
  /** Begins to charge time from now on: no payer pays for the time before. */
  startClock(): void
  end(): void
}

export type TurnsOptions<T> = {
  things: readonly T[]
  /** A time slice is not preempted before it lasted so long, in milliseconds. */
  quantumMs: number
  /** The time that a time slice in progress counts for when the next request is chosen, so that one payer does not get all things at once. */
  longestMs: number
  /** Milliseconds that only go up. */
  now?: () => number
}

type Waiting<T> = { payers: readonly string[]; begin: (thing: T) => void }

type Running = { payers: readonly string[]; startedAt: number; preempt: AbortController }

/** Most payers that are remembered. A forgotten one counts as new. */
const mostPayers = 10_000

/**
 * Start-time fair queueing (Goyal, Vin, Cheng 1996) with two additions: a time slice has several payers, and a time slice that takes long
 * is preempted where a request waits whose payers used less. The turn that began first is never preempted, so that long ones end too. With one
 * thing only, no turn is preempted. The thing that was given back last is lent first: under little load the same few stay warm.
 */
export function createTurns<T>(options: TurnsOptions<T>): Turns<T> {
  const { things, quantumMs, longestMs, now = () => performance.now() } = options
  const free = [...things]
  const waiting = new Set<Waiting<T>>()
  /** In the order in which they began. */
  const running = new Set<Running>()
  /** Time used in turns that ended, in milliseconds, on a scale that begins for every payer at the minimum. */
  const accounts = createLru<string, number>(mostPayers)
  /** By kind, the account of the payer whose turn began last: a payer that was unreachable counts from there, and has saved up nothing. */
  const floors: number[] = []

  const used = (payer: string, kind: number): number => Math.max(floors[kind] ?? 0, accounts.get(payer) ?? 0)
  const runningFor = (payer: string): Running[] => [...running].filter(({ payers }) => payers.includes(payer))

  /** The use of each payer, the most first, by which the next request is chosen. */
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

  /** Whether a waiting request used less than a time slice in progress. Payers of both do not count. */
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

  /** Preempts a time slice for the next request where that is due. At most one turn is ending that way at a time. */
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

/** Compares use by use; where all are equal, the request with fewer payers comes first. */
function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}
