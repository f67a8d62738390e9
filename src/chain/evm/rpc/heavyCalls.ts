import type { Fault, Parsed } from './parseReply.ts'
import type { Reply } from './postJson.ts'
import type { RpcCall } from './rpc.ts'

/** Calls that can be too heavy for a healthy node: logs of a range, and contents of a whole block. */
const heavyMethods: ReadonlySet<string> = new Set([
  'eth_getLogs',
  'eth_getBlockReceipts',
  'trace_block',
  'debug_traceBlockByHash',
  'debug_traceBlockByNumber',
])

/** Errors that a gateway or node also returns if one call is too heavy for it. */
const mayBeHeavy: ReadonlySet<Fault['class']> = new Set<Fault['class']>([
  'unreachable',
  'broken',
  'overload',
  'timeout',
])

export const isHeavy = ({ method }: RpcCall): boolean => heavyMethods.has(method)

/**
 * Whether an exchange failed because a call was too heavy, which shows nothing against the endpoint. `perhaps`: a heavy call failed, and only a light
 * call shows whether the endpoint is reachable. `yes`: a heavy call failed while another one of the exchange was answered.
 */
export function failedByWeight(calls: readonly RpcCall[], reply: Reply, parsed: Parsed): 'yes' | 'no' | 'perhaps' {
  if (!calls.some(isHeavy)) return 'no'
  // Nothing listens at the address, or the endpoint requests a wait: neither depends on the weight of a call.
  if (reply.kind === 'unreachable' && reply.rejected) return 'no'
  if (reply.kind === 'reply' && reply.retryAfterMs !== undefined) return 'no'
  if (parsed.kind === 'fault') return mayBeHeavy.has(parsed.fault.class) ? 'perhaps' : 'no'
  if (parsed.kind !== 'outcomes') return 'no'
  const overloaded = parsed.outcomes.flatMap((o, i) =>
    'fault' in o && o.fault.class === 'overload' ? [calls[i]!] : [],
  )
  if (overloaded.length === 0 || !overloaded.every(isHeavy)) return 'no'
  return parsed.outcomes.some((outcome) => 'result' in outcome) ? 'yes' : 'perhaps'
}
