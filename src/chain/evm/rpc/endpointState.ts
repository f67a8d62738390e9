import type { EndpointHealth } from './endpointHealth.ts'
import type { Fault, Parsed } from './parseReply.ts'

/** How one endpoint has fared in this process. */
export type EndpointState = {
  /** Its host, told apart by a number where several share it. */
  name: string
  /** unasked: no call was sent to it yet; limited: it asked to be left alone for now; other_chain: it serves another chain. */
  state: 'good' | 'away' | 'limited' | 'other_chain' | 'unasked'
  /** Calls sent to it, each of a batch counted; `failed`: those of them that it did not answer. A call that reverts is answered. */
  calls: number
  failed: number
  /** Milliseconds of one exchange, the latest ones weighing most; null: none was answered. */
  averageMs: number | null
  /** What is wrong with it now, in a node's words; null: nothing. */
  fault: string | null
}

/** A call that failed so got no answer of a node. */
const unanswered: ReadonlySet<Fault['class']> = new Set<Fault['class']>([
  'overload',
  'rate_limit',
  'timeout',
  'unauthorized',
  'unreachable',
  'broken',
  'unknown',
])

/** How many calls of an exchange got no answer. None of a batch that is refused as such did; they are sent again in parts. */
export function unansweredCalls(calls: number, parsed: Parsed): number {
  if (parsed.kind === 'fault') return unanswered.has(parsed.fault.class) ? calls : 0
  if (parsed.kind === 'batch_refused') return calls
  return parsed.outcomes.filter((outcome) => 'fault' in outcome && unanswered.has(outcome.fault.class)).length
}

/** `words` of what was last wrong with it, without secrets; `isOtherChain`: it served another chain when it was last asked. */
export function endpointState(options: {
  name: string
  health: EndpointHealth
  counted: { calls: number; failed: number }
  isOtherChain: boolean
  words: string | undefined
}): EndpointState {
  const { name, health, counted, isOtherChain, words } = options
  const averageMs = health.averageMs()
  const state = stateOf()
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
    return counted.calls === 0 ? 'unasked' : 'good'
  }
}
