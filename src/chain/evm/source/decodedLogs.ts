import { type ParseElsewhere, parseJson } from '../rpc/parseJson.ts'
import type { RpcLog } from '../rpc/rpc.ts'
import { readLogs } from './readLogs.ts'
import type { DecodedReply, LogDecoder, LogQuestion, LogVerdict, ReadVerdict } from './source.ts'

// Answers of eth_getLogs that are parsed, checked and decoded in another thread. The caller defines the decoding.

/** Reads an answer of eth_getLogs. */
export function checkLogs(answer: unknown, question: LogQuestion): ReadVerdict {
  const misnumbered = new Set<number>()
  const logs = readLogs(answer, question, (block) => misnumbered.add(block))
  return typeof logs === 'string' ? { inconsistency: logs } : { logs, misnumbered: [...misnumbered] }
}

/** Runs in the other thread. `decode` returns undefined if the logs themselves are needed. */
export function decodeReply<T>(
  { bytes, question, nesting }: { bytes: Buffer; question: LogQuestion; nesting: number },
  decode: (logs: readonly RpcLog[]) => T | undefined,
): DecodedReply<T> {
  const parsed = parseJson(bytes, nesting)
  if (parsed === 'too_nested') return { parsed }
  // No other call of the request is answered with a list.
  const place = itemsOf(parsed.json).findIndex((item) => Array.isArray(item?.result))
  const item = itemsOf(parsed.json)[place]
  if (!item) return { parsed }
  const found = checkLogs(item.result, question)
  item.result = null
  if ('inconsistency' in found || found.misnumbered.length > 0 || found.logs.length === 0)
    return { parsed, verdict: { place, of: found } }
  const decoded = decode(found.logs)
  if (decoded === undefined) return { parsed, verdict: { place, of: found } }
  const placeOf = ({ blockNumber, blockHash }: RpcLog) => ({ blockNumber, blockHash })
  const [first, last] = [placeOf(found.logs[0]!), placeOf(found.logs.at(-1)!)]
  const all = { of: decoded, count: found.logs.length, first, last, inLast: logsOfLast(found.logs) }
  return { parsed, verdict: { place, of: { decoded: all } } }
}

/** How many logs are in the block of the last one. */
export function logsOfLast(logs: readonly RpcLog[]): number {
  const block = logs.at(-1)?.blockNumber
  return logs.length - 1 - logs.findLastIndex(({ blockNumber }) => blockNumber !== block)
}

/** JSON from a node cannot have this key. */
const verdictKey = Symbol('verdict')

/** Parses replies with a decoder. A verdict replaces the logs of a reply. */
export function parseBy(decoder: LogDecoder<unknown>, question: LogQuestion): ParseElsewhere {
  return (bytes, nesting, signal) =>
    decoder({ bytes, question, nesting }, signal)?.then(({ parsed, verdict }) => {
      if (verdict && parsed !== 'too_nested') itemsOf(parsed.json)[verdict.place]!.result = { [verdictKey]: verdict.of }
      return parsed
    })
}

/** The verdict in an answer; undefined: the answer is the node's own. */
export function verdictIn<T>(answer: unknown): LogVerdict<T> | undefined {
  return (answer as { [verdictKey]?: LogVerdict<T> } | null)?.[verdictKey]
}

/** The answers of a reply to one call or several. */
function itemsOf(json: unknown): ({ result?: unknown } | null | undefined)[] {
  return Array.isArray(json) ? json : [json as { result?: unknown } | null | undefined]
}
