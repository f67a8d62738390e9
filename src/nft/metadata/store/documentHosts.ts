import { smallest } from '../../../util/extremes.ts'
import { longestPauseMs, retryDelay } from './due.ts'

/** Known facts of a metadata host of a collection. Times in Unix milliseconds. */
export type HostState = {
  host: string
  /** null: the host is not dead; it may have failed a few times. */
  deadSince: number | null
  /** Tries in a row that the host did not answer; tries that were in progress together count as one. */
  failures: number
  fault: string | null
  faultAt: number | null
  /** When a dead host is tried next. */
  retryAt: number | null
}

/** One try to get metadata from a host. Its maker calls `sent` for each request that goes out, then one of the others once. */
export type HostTry = {
  /** A request, or after a redirect the next one, goes to the host now: it no longer waits for its turn. */
  sent(): void
  /** The host answered, with whatever status. */
  answered(): void
  /** The host did not answer. True: it was dead before. */
  failed(fault: string): boolean
  /** Nothing was sent, as the host is paused for so long. True: the host is dead. */
  postponed(ms: number): boolean
}

/** The metadata hosts of one collection during one turn. A dead host is tried with one token at a time, when its `retryAt` has come. */
export type DocumentHosts = {
  /** Begins a try; undefined: the host is dead and may not be tried now. */
  ask(host: string): HostTry | undefined
  /** The token that a dead host was to be tried with has its metadata elsewhere by now: all tokens that wait for the host are read again. */
  left(host: string): void
  /** The reason with which tokens of a dead host fail. */
  faultOf(host: string): string
  /** `changed`: what differs from what was loaded. `back`: hosts whose tokens need not wait any more; `left`: those of them that were left. */
  changes(): { changed: HostState[]; back: string[]; left: string[] }
  /** When the next dead host is tried; null: none is dead. */
  retryAt(): number | null
}

/** Unanswered tries in a row after which a host counts as dead. */
const deadAfter = 5

/** Hosts of one collection that are stored while they answer, as readable text to see; and hosts that are known at all, to save tries. */
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
  /** Dead hosts that are being tried with a token. */
  const tried = new Set<string>()
  /** By host: number of the last request that was sent before the host's last counted failure. */
  const lastCounted = new Map<string, number>()
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

  /** `isTrial`: the host is dead, and this is the one token that it is tried with. */
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
        // A request that was in progress when the host last failed shows nothing new: a pause of this process, or of the network,
        // lets all of them time out together.
        if (number <= (lastCounted.get(host) ?? 0)) return wasDead
        lastCounted.set(host, requests)
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
