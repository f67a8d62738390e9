import type { EndpointHealth } from './endpointHealth.ts'
import type { Fault, Parsed } from './parseReply.ts'

/** State of one endpoint in this process. */
export type EndpointState = {
  /** The host, with a number if several addresses share it. */
  name: string
  /**
   * unasked: no call was sent yet; limited: the endpoint requested a pause; other_chain: it serves another chain; unreadable: it answers, but its
   * latest answer to a method is invalid.
   */
  state: 'good' | 'away' | 'limited' | 'other_chain' | 'unreadable' | 'unasked'
  /** Calls sent, each of a batch counted; `failed`: those without an answer. A call that reverts has an answer. */
  calls: number
  failed: number
  /** Average milliseconds of one exchange, weighted towards the latest ones; null: none was answered. */
  averageMs: number | null
  /** The current fault, in a node's words; null: none. */
  fault: string | null
}

/** Errors of calls that no node answered. */
const unanswered: ReadonlySet<Fault['class']> = new Set<Fault['class']>([
  'overload',
  'rate_limit',
  'timeout',
  'unauthorized',
  'unreachable',
  'broken',
  'unknown',
])

/** Calls of an exchange without an answer. All of a rejected batch count; they are sent again in smaller batches. */
export function unansweredCalls(calls: number, parsed: Parsed): number {
  if (parsed.kind === 'fault') return unanswered.has(parsed.fault.class) ? calls : 0
  if (parsed.kind === 'batch_refused') return calls
  return parsed.outcomes.filter((outcome) => 'fault' in outcome && unanswered.has(outcome.fault.class)).length
}

/**
 * `detail`: message of its last error, without secrets; `isOtherChain`: the last check found another chain; `wrong`: why an answer is invalid,
 * undefined if none is.
 */
export function endpointState(options: {
  name: string
  health: EndpointHealth
  counted: { calls: number; failed: number }
  isOtherChain: boolean
  wrong: string | undefined
  detail: string | undefined
}): EndpointState {
  const { name, health, counted, isOtherChain, wrong } = options
  const averageMs = health.averageMs()
  const state = stateOf()
  const detail = state === 'unreadable' ? wrong : options.detail
  return {
    name,
    state,
    ...counted,
    averageMs: averageMs === null ? null : Math.round(averageMs),
    fault: state === 'good' || state === 'unasked' ? null : (detail?.slice(0, 200) ?? null),
  }

  function stateOf(): EndpointState['state'] {
    if (isOtherChain) return 'other_chain'
    if (health.isOpen()) return 'away'
    if (health.waitMs(performance.now(), false) > 0) return 'limited'
    if (wrong !== undefined) return 'unreadable'
    return counted.calls === 0 ? 'unasked' : 'good'
  }
}
