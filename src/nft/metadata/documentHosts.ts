import { smallest } from '../../util/extremes.ts'
import { retryDelay } from './retryDelay.ts'

/** What is known of a host of a collection's documents. Times in Unix milliseconds. */
export type HostState = {
  host: string
  /** null: it answers, or nothing else is known yet. */
  deadSince: number | null
  /** Tries in a row without an answer. */
  failures: number
  fault: string | null
  faultAt: number | null
  /** When a dead one is tried next. */
  retryAt: number | null
}

/** The hosts of one collection's documents during one turn. A dead one is tried with one token at a time, when that is due. */
export type DocumentHosts = {
  /** Whether a document may be asked for. Each true is followed by one of the others. */
  mayAsk(host: string): boolean
  /** It answered, whatever it said. */
  answered(host: string): void
  /** It did not. True: it is dead, and was before. */
  failed(host: string, fault: string): boolean
  /** Nothing was asked of it: it is left alone for so long. */
  postponed(host: string, ms: number): void
  /** No document is there any more, as far as is known: what waits for it is to be read again. */
  left(host: string): void
  /** How long a dead host is left alone, in milliseconds; 0 where it is not, or is tried now. */
  deadMs(host: string): number
  /** What its tokens fail with. */
  faultOf(host: string): string
  /** What became different since it was loaded; hosts that nothing has to wait for any more; those of them that were left. */
  changes(): { changed: HostState[]; back: string[]; left: string[] }
  /** When the next dead one is tried; null: none is. */
  retryAt(): number | null
}

/** Tries in a row without an answer after which a host is taken for dead. */
const deadAfter = 5

/** A dead host is tried once an hour at least, whatever pauses are configured for single documents. */
const longestMs = 3_600_000

/** Hosts remembered of one collection: those that answer are for people to see, those that do not save tries. */
const mostAlive = 20
const mostKnown = 100

export function createDocumentHosts(
  known: readonly HostState[],
  { retryDelaysMs, now = Date.now }: { retryDelaysMs: readonly number[]; now?: () => number },
): DocumentHosts {
  const states = new Map(known.map((state) => [state.host, { ...state }]))
  const changed = new Set<string>()
  const back = new Set<string>()
  const left = new Set<string>()
  /** Dead ones that a token is under way to. */
  const tried = new Set<string>()

  function stateOf(host: string): HostState | undefined {
    const state = states.get(host)
    if (state || states.size >= mostKnown) return state
    const made = { host, deadSince: null, failures: 0, fault: null, faultAt: null, retryAt: null }
    states.set(host, made)
    if (states.size <= mostAlive) changed.add(host)
    return made
  }

  const pause = (failures: number) => Math.min(longestMs, retryDelay(retryDelaysMs, failures, undefined))

  return {
    mayAsk(host) {
      const state = stateOf(host)
      if (!state || state.deadSince === null) return true
      if (tried.has(host) || (state.retryAt ?? 0) > now()) return false
      tried.add(host)
      return true
    },
    answered(host) {
      tried.delete(host)
      const state = stateOf(host)
      if (!state || state.failures === 0) return
      if (state.deadSince !== null) back.add(host)
      Object.assign(state, { deadSince: null, failures: 0, retryAt: null })
      changed.add(host)
    },
    failed(host, fault) {
      tried.delete(host)
      const state = stateOf(host)
      if (!state) return false
      const wasDead = state.deadSince !== null
      const at = now()
      // Those that were under way when it died tell nothing new.
      if (wasDead && (state.retryAt ?? 0) > at) return true
      state.failures++
      state.fault = fault
      state.faultAt = at
      changed.add(host)
      if (!wasDead && state.failures < deadAfter) return false
      state.deadSince ??= at
      state.retryAt = at + pause(state.failures - deadAfter)
      back.delete(host)
      return wasDead
    },
    postponed(host, ms) {
      tried.delete(host)
      const state = states.get(host)
      if (!state || state.deadSince === null) return
      state.retryAt = Math.max(state.retryAt ?? 0, now() + ms)
      changed.add(host)
    },
    left(host) {
      states.delete(host)
      changed.delete(host)
      back.add(host)
      left.add(host)
    },
    deadMs(host) {
      const state = states.get(host)
      if (!state || state.deadSince === null) return 0
      return Math.max(tried.has(host) ? 1 : 0, (state.retryAt ?? 0) - now())
    },
    faultOf: (host) => states.get(host)?.fault ?? `${host} does not answer`,
    changes: () => ({
      changed: [...changed].flatMap((host) => states.get(host) ?? []),
      back: [...back],
      left: [...left],
    }),
    retryAt() {
      const times = [...states.values()].flatMap(({ deadSince, retryAt }) =>
        deadSince === null ? [] : (retryAt ?? []),
      )
      return times.length === 0 ? null : smallest(times)
    },
  }
}
