import type { EndpointHealth } from './endpointHealth.ts'
import type { Fault, Parsed } from './parseReply.ts'

/** How one endpoint has fared in this process. */
export type EndpointState = {
  /** The host, with a number where several addresses share it. */
  name: string
  /**
   * unasked: no call was sent yet; limited: the endpoint requested a pause for now; other_chain: it serves another chain; unreadable: it
   * answers, and its last answer to a method cannot be right.
   */
  state: 'good' | 'away' | 'limited' | 'other_chain' | 'unreadable' | 'unasked'
  /** Calls that were sent, each of a batch counted; `failed`: those that got no answer. A call that reverts got one. */
  calls: number
  failed: number
  /** Average milliseconds of one exchange, in which the latest ones weigh most; null: none was answered. */
  averageMs: number | null
  /** What is wrong with the endpoint now, in a node's words; null: nothing. */
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

/** How many calls of an exchange got no answer. All of a refused batch are counted; they are sent again in smaller batches. */
export function unansweredCalls(calls: number, parsed: Parsed): number {
  if (parsed.kind === 'fault') return unanswered.has(parsed.fault.class) ? calls : 0
  if (parsed.kind === 'batch_refused') return calls
  return parsed.outcomes.filter((outcome) => 'fault' in outcome && unanswered.has(outcome.fault.class)).length
}

/**
 * `words`: those of its last error, without secrets; `isOtherChain`: the last check found another chain; `wrong`: why an answer cannot be right,
 * undefined if all are.
 */
export function endpointState(options: {
  name: string
  health: EndpointHealth
  counted: { calls: number; failed: number }
  isOtherChain: boolean
  wrong: string | undefined
  words: string | undefined
}): EndpointState {
  const { name, health, counted, isOtherChain, wrong } = options
  const averageMs = health.averageMs()
  const state = stateOf()
  const words = state === 'unreadable' ? wrong : options.words
  return {
    name,
    state,
    ...counted,
    averageMs: averageMs === null ? null : Math.round(averageMs),
    fault: state === 'good' || state === 'unasked' ? null : (words?.slice(0, 200) ?? null),
  }

  function stateOf(): EndpointState['state'] {
    if (isOtherChain) return 'other_chain'
    if (health.isOpen()) return 'away'
    if (health.waitMs(performance.now(), false) > 0) return 'limited'
    if (wrong !== undefined) return 'unreadable'
    return counted.calls === 0 ? 'unasked' : 'good'
  }
}
