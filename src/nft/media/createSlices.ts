import { createLru } from '../../util/createLru.ts'
import { largest } from '../../util/extremes.ts'

/** Shared resources that are lent in time slices: next is the request whose payers used them least. */
export type Slices<T> = {
  /**
   * Resolves with a resource. `payers`: names that are charged for the time, by kind, such as first the collection,
   * then the host. The payer with most usage decides how long the request waits; a request without payers is next.
   * Rejects with the signal's reason.
   */
  take(payers: readonly string[], signal?: AbortSignal): Promise<Slice<T>>
}

export type Slice<T> = {
  thing: T
  /** Aborts when a request of payers with less usage waits: the slice must end, and may be requested again. */
  preempted: AbortSignal
  /** Starts charging now: earlier time is free. */
  startClock(): void
  end(): void
}

export type SlicesOptions<T> = {
  things: readonly T[]
  /** Shortest time slice before preemption, in milliseconds. */
  quantumMs: number
  /**
   * Assumed length of a running slice when the next request is chosen, so that one payer does not get all resources at
   * once.
   */
  longestMs: number
  /** Monotonic time in milliseconds. */
  now?: () => number
}

type Waiting<T> = { payers: readonly string[]; begin: (thing: T) => void }

type Running = { payers: readonly string[]; startedAt: number; preempt: AbortController }

/** Most remembered payers. A forgotten one counts as new. */
const mostPayers = 10_000

/**
 * Start-time fair queueing (Goyal, Vin, Cheng 1996) with two additions. A slice has several payers, and a long slice is
 * preempted if a request of payers with less usage waits. The earliest slice is never preempted, so that long ones end
 * too; with one resource, no slice is. The last returned resource is lent first, so that few stay warm under low load.
 */
export function createSlices<T>(options: SlicesOptions<T>): Slices<T> {
  const { things, quantumMs, longestMs, now = () => performance.now() } = options
  const free = [...things]
  const waiting = new Set<Waiting<T>>()
  /** In order of their start. */
  const running = new Set<Running>()
  /** Time used in ended slices, in milliseconds, relative to the minimum at a payer's start. */
  const accounts = createLru<string, number>(mostPayers)
  /**
   * By kind, the account of the payer whose slice began last: a returning payer counts from there, without credit for
   * idle time.
   */
  const baselines: number[] = []

  const used = (payer: string, kind: number): number => Math.max(baselines[kind] ?? 0, accounts.get(payer) ?? 0)
  const runningFor = (payer: string): Running[] => [...running].filter(({ payers }) => payers.includes(payer))

  /** Usage of each payer, highest first, which decides the next request. */
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

  function begin(payers: readonly string[], thing: T): Slice<T> {
    for (const [kind, payer] of payers.entries()) baselines[kind] = used(payer, kind)
    const slice: Running = { payers, startedAt: now(), preempt: new AbortController() }
    running.add(slice)
    const timer = setInterval(review, quantumMs).unref()
    return {
      thing,
      preempted: slice.preempt.signal,
      startClock() {
        slice.startedAt = now()
      },
      end() {
        if (!running.delete(slice)) return
        clearInterval(timer)
        const ms = now() - slice.startedAt
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

  /** Whether a waiting request has less usage than a running slice. Common payers do not count. */
  function usedLess(one: Waiting<T>, slice: Running): boolean {
    const most = (payers: readonly string[], others: readonly string[]) =>
      largest(
        payers.map((payer, kind) =>
          others.includes(payer)
            ? Number.NEGATIVE_INFINITY
            : runningFor(payer).reduce((sum, { startedAt }) => sum + now() - startedAt, used(payer, kind)),
        ),
      )
    return most(one.payers, slice.payers) < most(slice.payers, one.payers)
  }

  /** Preempts a slice for the next request if due. At most one slice is being preempted at a time. */
  function review(): void {
    const slices = [...running]
    if (slices.some(({ preempt }) => preempt.signal.aborted)) return
    const one = next()
    if (!one) return
    const victim = slices
      .slice(1)
      .filter((slice) => now() - slice.startedAt >= quantumMs && usedLess(one, slice))
      .at(-1)
    victim?.preempt.abort()
  }

  return {
    async take(payers, signal) {
      signal?.throwIfAborted()
      const thing = free.pop()
      if (thing !== undefined) return begin(payers, thing)
      const { promise, resolve, reject } = Promise.withResolvers<Slice<T>>()
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

/** Compares usage by usage; if all are equal, the request with fewer payers comes first. */
function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}
