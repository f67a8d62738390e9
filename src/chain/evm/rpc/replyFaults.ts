import type { Fault, Outcome, Parsed } from './parseReply.ts'
import type { Reply } from './postJson.ts'

/** Whether the node rejected a call for its rate. */
export function isRateLimited(outcome: Outcome): boolean {
  return 'fault' in outcome && outcome.fault.class === 'rate_limit'
}

/** Whether fewer calls at once may be answered. */
export function isTooMuch(fault: Fault): boolean {
  return fault.class === 'response_size' || fault.class === 'timeout'
}

/** The errors of an exchange: its own, or those of its calls. */
export function faultsIn(parsed: Parsed): Fault[] {
  if (parsed.kind === 'fault') return [parsed.fault]
  return parsed.kind === 'outcomes' ? faultsOf(parsed.outcomes) : []
}

export function faultsOf(outcomes: readonly Outcome[]): Fault[] {
  return outcomes.flatMap((outcome) => ('fault' in outcome ? [outcome.fault] : []))
}

/**
 * The error of an exchange without an answer. `isShort`: responses to these calls are short. A long one is then a fault of the endpoint, not of the
 * request.
 */
export function faultOf(
  reply: Exclude<Reply, { kind: 'reply' }>,
  timeoutMs: number,
  bytes: number,
  isShort: boolean,
): Fault {
  if (reply.kind === 'timeout') return { class: 'timeout', detail: `no answer within ${timeoutMs} ms` }
  if (reply.kind === 'too_large')
    return {
      class: isShort ? 'broken' : 'response_size',
      detail: `answer of more than ${bytes} bytes, or packed too small`,
    }
  if (reply.kind === 'too_nested')
    return { class: 'broken', detail: 'answer nested too deep, or of too many lists and objects' }
  return { class: 'unreachable', detail: reply.detail, cause: reply.cause }
}
