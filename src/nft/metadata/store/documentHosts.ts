import { smallest } from '../../../util/extremes.ts'
import { longestPauseMs } from './due.ts'
import { retryDelay } from './retryDelay.ts'

/** What is known of a host of a collection's documents. Times in Unix milliseconds. */
export type HostState = {
  host: string
  /** null: it answers, or nothing else is known yet. */
  deadSince: number | null
  /** Tries one after another without an answer; those that were under way together are one. */
  failures: number
  fault: string | null
  faultAt: number | null
  /** When a dead one is tried next. */
  retryAt: number | null
}

/** One document that a host is asked for: `sent`, where it comes to that, then one of the others. */
export type HostTry = {
  /** A request goes to the host now, or after a redirect once more: the waiting for its turn is over. */
  sent(): void
  /** The host answered, whatever it said. */
  answered(): void
  /** It did not. True: it is dead, and was before. */
  failed(fault: string): boolean
  /** Nothing was asked of it: it is left alone for so long. True: it is dead. */
  postponed(ms: number): boolean
}

/** The hosts of one collection's documents during one turn. A dead one is tried with one token at a time, when that is due. */
export type DocumentHosts = {
  /** To ask for one document; undefined: none may be asked for now. */
  ask(host: string): HostTry | undefined
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

/** Tries one after another without an answer after which a host is taken for dead. */
const deadAfter = 5

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
  /** Number of the last request that was sent before a host's last counted failure. */
  const judged = new Map<string, number>()
  let requests = 0

  function stateOf(host: string): HostState | undefined {
    const state = states.get(host)
    if (state || states.size >= mostKnown) return state
    const made = { host, deadSince: null, failures: 0, fault: null, faultAt: null, retryAt: null }
    states.set(host, made)
    if (states.size <= mostAlive) changed.add(host)
    return made
  }

  const pause = (failures: number) => Math.min(longestPauseMs, retryDelay(retryDelaysMs, failures, undefined))

  /** `isTrial`: the only token that a dead host is tried with. */
  function begin(host: string, isTrial: boolean): HostTry {
    let number = ++requests
    const end = () => isTrial && tried.delete(host)
    return {
      sent() {
        number = ++requests
      },
      answered() {
        end()
        const state = stateOf(host)
        if (!state || state.failures === 0) return
        if (state.deadSince !== null) back.add(host)
        Object.assign(state, { deadSince: null, failures: 0, retryAt: null })
        changed.add(host)
      },
      failed(fault) {
        end()
        const state = stateOf(host)
        if (!state) return false
        const wasDead = state.deadSince !== null
        // What was under way when the host last failed tells nothing new: one pause of this process, or of the way to the host,
        // lets all of it time out together.
        if (number <= (judged.get(host) ?? 0)) return wasDead
        judged.set(host, requests)
        const at = now()
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
      postponed(ms) {
        end()
        const state = states.get(host)
        if (!state || state.deadSince === null) return false
        state.retryAt = Math.max(state.retryAt ?? 0, now() + ms)
        changed.add(host)
        return true
      },
    }
  }

  return {
    ask(host) {
      const isDead = stateOf(host)?.deadSince != null
      if (isDead && (tried.has(host) || (states.get(host)?.retryAt ?? 0) > now())) return undefined
      if (isDead) tried.add(host)
      return begin(host, isDead)
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
