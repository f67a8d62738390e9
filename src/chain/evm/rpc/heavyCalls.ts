import type { Fault, Parsed } from './parseReply.ts'
import type { Reply } from './postJson.ts'
import type { RpcCall } from './rpc.ts'

/** Calls whose cost the question decides: logs of a range, and what a whole block holds. */
const heavyMethods: ReadonlySet<string> = new Set([
  'eth_getLogs',
  'eth_getBlockReceipts',
  'trace_block',
  'debug_traceBlockByHash',
  'debug_traceBlockByNumber',
])

/** Ends of an exchange that a gateway or node also gives to one question that it cannot bear. */
const mayBeHeavy: ReadonlySet<Fault['class']> = new Set<Fault['class']>([
  'unreachable',
  'broken',
  'overload',
  'timeout',
])

export const isHeavy = ({ method }: RpcCall): boolean => heavyMethods.has(method)

/**
 * How an exchange speaks of the endpoint. `no`: as it stands. `perhaps`: a heavy call failed, so only another question tells
 * whether the endpoint is away. `yes`: a heavy call failed while a light one of the same exchange was answered.
 */
export function failedByWeight(calls: readonly RpcCall[], reply: Reply, parsed: Parsed): 'yes' | 'no' | 'perhaps' {
  if (!calls.some(isHeavy)) return 'no'
  // No program listens there, or the endpoint says how long to wait: neither is about this call.
  if (reply.kind === 'unreachable' && reply.refused) return 'no'
  if (reply.kind === 'reply' && reply.retryAfterMs !== undefined) return 'no'
  if (parsed.kind === 'fault') return mayBeHeavy.has(parsed.fault.class) ? 'perhaps' : 'no'
  if (parsed.kind !== 'outcomes') return 'no'
  const overloaded = parsed.outcomes.flatMap((o, i) =>
    'fault' in o && o.fault.class === 'overload' ? [calls[i]!] : [],
  )
  if (overloaded.length === 0 || !overloaded.every(isHeavy)) return 'no'
  return parsed.outcomes.some((outcome) => 'result' in outcome) ? 'yes' : 'perhaps'
}
