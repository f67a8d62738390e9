import { smallest } from '../../../util/extremes.ts'
import { longestPauseMs, metadataRetryDelay } from './schedule.ts'

/** State of a metadata host of a collection. Times in Unix milliseconds. */
export type HostState = {
  host: string
  /** null: the host is not dead, but may have failed a few times. */
  deadSince: number | null
  /** Consecutive attempts without a response; concurrent attempts count as one. */
  failures: number
  fault: string | null
  faultAt: number | null
  /** Next attempt at a dead host. */
  retryAt: number | null
}

/** One attempt to get metadata from a host. The caller calls `sent` for each outgoing request, then one of the others once. */
export type HostTry = {
  /** A request, or the next one after a redirect, is sent now. */
  sent(): void
  /** The host responded, with any status. */
  answered(): void
  /** The host did not respond. True: it was already dead. */
  failed(fault: string): boolean
  /** Nothing was sent, as the host is paused for `ms`. True: the host is dead. */
  postponed(ms: number): boolean
}

/** The metadata hosts of one collection during a time slice. A dead host is tried with one token at a time, from `retryAt` on. */
export type MetadataHosts = {
  /** Starts an attempt; undefined: the host is dead and must not be tried now. */
  request(host: string): HostTry | undefined
  /** The token of a dead host's trial has moved to another URI: all tokens that wait for the host are read again. */
  abandoned(host: string): void
  /** Failure reason of a dead host's tokens. */
  faultOf(host: string): string
  /** `changed`: differences from the loaded states. `back`: hosts whose tokens need not wait any more; `abandoned`: those of them whose tokens moved to another URI. */
  changes(): { changed: HostState[]; back: string[]; abandoned: string[] }
  /** Next attempt at a dead host; null: none is dead. */
  retryAt(): number | null
}

/** Consecutive attempts without a response after which a host is dead. */
const deadAfter = 5

/** Most stored responsive hosts per collection, for display; and most known hosts, to save attempts. */
const mostAlive = 20
const mostKnown = 100

export function createMetadataHosts(
  known: readonly HostState[],
  { retryDelaysMs, now = Date.now }: { retryDelaysMs: readonly number[]; now?: () => number },
): MetadataHosts {
  const states = new Map(known.map((state) => [state.host, { ...state }]))
  const changed = new Set<string>()
  const back = new Set<string>()
  const abandoned = new Set<string>()
  /** Dead hosts with a running trial. */
  const tried = new Set<string>()
  /** By host: number of the last request sent before the host's last counted failure. */
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

  const pause = (failures: number) => Math.min(longestPauseMs, metadataRetryDelay(retryDelaysMs, failures, undefined))

  /** `isTrial`: the host is dead, and this token is its trial. */
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
        // A request that was running at the host's last failure shows nothing new: after a pause of this process or the network, all of them time out
        // together.
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
    request(host) {
      const isDead = stateOf(host)?.deadSince != null
      if (isDead && (tried.has(host) || (states.get(host)?.retryAt ?? 0) > now())) return undefined
      if (isDead) tried.add(host)
      return begin(host, isDead)
    },
    abandoned(host) {
      states.delete(host)
      changed.delete(host)
      back.add(host)
      abandoned.add(host)
    },
    faultOf: (host) => states.get(host)?.fault ?? `${host} does not answer`,
    changes: () => ({
      changed: [...changed].flatMap((host) => states.get(host) ?? []),
      back: [...back],
      abandoned: [...abandoned],
    }),
    retryAt() {
      const times = [...states.values()].flatMap(({ deadSince, retryAt }) =>
        deadSince === null ? [] : (retryAt ?? []),
      )
      return times.length === 0 ? null : smallest(times)
    },
  }
}
