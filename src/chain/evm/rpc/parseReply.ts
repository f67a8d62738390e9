import type { Mask } from '../../../util/urls/secrets.ts'
import { classifyRejection, type Rejection } from './classifyRejection.ts'
import type { FaultClass } from './rpcError.ts'

/** Why one call, or a whole exchange, has no result. */
export type Fault = {
  class: FaultClass
  detail: string
  rejection?: Rejection
  rpcCode?: number | undefined
  /** Only this call is too heavy: the endpoint answers others meanwhile. */
  heavy?: boolean
  cause?: unknown
}

export type Outcome = { result: unknown } | { fault: Fault }

/** Meaning of a response for the calls of a request. `batch_refused`: the same calls may pass in smaller batches. */
export type Parsed =
  | { kind: 'outcomes'; outcomes: Outcome[] }
  | { kind: 'batch_refused'; detail: string; never: boolean }
  | { kind: 'fault'; fault: Fault }

/** HTTP statuses with which nodes reject batches, or too long ones. */
const batchStatuses = new Set([400, 405, 413, 415, 422, 501])
/** Classes of a single error that, as the answer to a whole batch, concern the batch. */
const batchClasses = new Set<FaultClass>(['unknown', 'invalid_params', 'method_missing', 'response_size', 'result_cap'])

/** Classes of a single error that concern the request, whatever it contains. */
const requestClasses = new Set<FaultClass>(['rate_limit', 'overload', 'unauthorized', 'timeout'])

/** `ids`: those of the calls, in their order. `mask` hides secrets in the node's messages, which may repeat its address or a key. */
export function parseReply(json: unknown, status: number, ids: readonly number[], mask: Mask): Parsed {
  const many = ids.length > 1
  if (isForeign(json, status)) return rejected(json, status, many, mask)
  if (Array.isArray(json)) {
    if (many && json.length === 0) return { kind: 'batch_refused', detail: 'an empty answer to a batch', never: false }
    // geth rejects a whole batch in the name of its first call (`rpc/handler.go`, respondWithBatchTooLarge).
    const fault = many && json.length === 1 ? faultIn(json[0], status, mask) : undefined
    return (fault && rejectedTogether(fault)) ?? pick(json, status, ids, mask)
  }
  const single = json as Record<string, unknown>
  if (!many) return pick([single], status, ids, mask)
  const fault = faultIn(single, status, mask)
  if (!fault) return { kind: 'batch_refused', detail: 'one answer to a batch', never: true }
  return rejectedTogether(fault) ?? { kind: 'fault', fault }
}

function faultIn(item: unknown, status: number, mask: Mask): Fault | undefined {
  const { error } = (item ?? {}) as { error?: unknown }
  return error === undefined || error === null ? undefined : toFault(error, status, mask)
}

/** The meaning of the only error for many calls; undefined: it is the error of one call. */
function rejectedTogether(fault: Fault): Parsed | undefined {
  if (batchClasses.has(fault.class) || /batch/i.test(fault.detail)) {
    const never = /batch.*(not|n't|disabled)|not.*batch/i.test(fault.detail)
    return { kind: 'batch_refused', detail: fault.detail, never }
  }
  return requestClasses.has(fault.class) ? { kind: 'fault', fault } : undefined
}

/** Whether a response is not JSON-RPC, such as the `{message}` of a gateway. */
function isForeign(json: unknown, status: number): boolean {
  if (typeof json !== 'object' || json === null) return true
  return status >= 400 && !Array.isArray(json) && !('error' in json) && !('result' in json)
}

function rejected(json: unknown, status: number, many: boolean, mask: Mask): Parsed {
  if (many && batchStatuses.has(status))
    return { kind: 'batch_refused', detail: `HTTP ${status}`, never: status === 405 }
  if (status >= 200 && status < 400)
    return { kind: 'fault', fault: { class: 'broken', detail: `HTTP ${status} without JSON` } }
  const { message } = (json ?? {}) as { message?: unknown }
  const rejection = classifyRejection({ message, httpStatus: status })
  const detail = typeof message === 'string' && message !== '' ? `HTTP ${status}: ${mask(message)}` : `HTTP ${status}`
  return { kind: 'fault', fault: { class: rejection.class, detail, rejection } }
}

function pick(items: unknown[], status: number, ids: readonly number[], mask: Mask): Parsed {
  const byId = new Map<string, Record<string, unknown>>()
  for (const item of items) {
    if (typeof item === 'object' && item !== null)
      byId.set(String((item as { id?: unknown }).id), item as Record<string, unknown>)
  }
  // A node that could not read the request answers with id null, and a gateway without an id. If there was only one call, it is its answer.
  const only = ids.length === 1 && items.length === 1 ? (byId.get('null') ?? byId.get('undefined')) : undefined
  let found = 0
  const outcomes = ids.map((id): Outcome => {
    const item = byId.get(String(id)) ?? (only?.error ? only : undefined)
    if (!item) return { fault: { class: 'broken', detail: 'the answer has another id' } }
    found++
    if (item.error !== undefined && item.error !== null) return { fault: toFault(item.error, status, mask) }
    if (item.result === undefined) return { fault: { class: 'broken', detail: 'neither result nor error' } }
    return { result: item.result }
  })
  if (found === 0) return { kind: 'fault', fault: { class: 'broken', detail: 'the answer has other ids' } }
  return { kind: 'outcomes', outcomes }
}

function toFault(error: unknown, httpStatus: number, mask: Mask): Fault {
  const { code, message, data } = (typeof error === 'object' && error !== null ? error : { message: error }) as Record<
    string,
    unknown
  >
  const rejection = classifyRejection({ code, message, data, ...(httpStatus >= 400 && { httpStatus }) })
  const parts = [message, data].filter((part) => typeof part === 'string' && part !== '' && !part.startsWith('0x'))
  const detail = parts.length > 0 ? mask(parts.join(': ')) : `error ${mask(String(code))}`
  return { class: rejection.class, detail, rejection, rpcCode: typeof code === 'number' ? code : undefined }
}
