import { type Hex, quantity } from '../../../util/hex.ts'
import type { EvmChain } from '../chains.ts'
import { parseHeader } from '../rpc/parseHeader.ts'
import type { Header, Rpc, RpcLog } from '../rpc/rpc.ts'
import { RpcError } from '../rpc/rpcError.ts'
import { checkLogs, logsOfLast, parseBy, verdictIn } from './decodedLogs.ts'
import type { DecodedLogs, LogDecoder, LogRange } from './source.ts'

/** Logs of a range that ends in block `to`, with hash `toHash`. */
export type RangeLogs = { logs: RpcLog[]; to: bigint; toHash: Hex }

/** `decoded`: a decoder's result, which replaces the logs. */
export type DecodedRange<T> = RangeLogs & { decoded?: DecodedLogs<T> | undefined }

/** An inconsistent answer: why it is invalid, by message and kind. */
export type Inconsistency = { inconsistency: string; kind: 'lag' | 'wrong_log'; endpoint: string }

/** Logs of each range, in their order, or the error of the range. `to`: the last block of all ranges, with hash `toHash`. */
export type LogAnswer = {
  logs: (RpcLog[] | Error)[]
  to: bigint
  toHash: Hex
  /** Blocks with invalid log indexes. */
  misnumbered: ReadonlySet<number>
  endpoint: string
  /** A decoder's result for a single range, which replaces the logs. */
  decoded?: DecodedLogs<unknown>
}

export type RequestLogsOptions = {
  rpc: Rpc
  chain: Pick<EvmChain, 'name'>
  caps: SilentCaps
  absent(number: bigint, signal?: AbortSignal): Promise<Header | undefined>
}

type RequestLogs = (
  options: RequestLogsOptions,
  ranges: readonly LogRange[],
  avoid: ReadonlySet<string>,
  signal?: AbortSignal,
  decoder?: LogDecoder<unknown>,
) => Promise<LogAnswer | Inconsistency>

/**
 * Requests the logs of several ranges, and the highest block of them, from one backend, in one HTTP request if the node accepts batches. That block
 * shows whether the backend lags. An answer that the node cut without an error becomes one. `decoder`: for a single range.
 */
export const requestLogs: RequestLogs = async (options, ranges, avoid, signal, decoder) => {
  const answer = await requestOnce(options, ranges, avoid, signal, decoder)
  return 'inconsistency' in answer ? answer : withoutCuts(options, ranges, answer, avoid, signal)
}

const requestOnce: RequestLogs = async (options, ranges, avoid, signal, decoder) => {
  const { rpc, absent } = options
  const to = ranges.reduce((highest, range) => (range.to > highest ? range.to : highest), 0n)
  const calls = ranges.map(({ address, topics, from, to }) => {
    const filter = { ...(address && { address }), topics, fromBlock: quantity(from), toBlock: quantity(to) }
    return { method: 'eth_getLogs', params: [filter] }
  })
  const questions = ranges.map(({ address, topics, from, to: last }) => ({
    ...(address && { address }),
    topics,
    from: Number(from),
    to: Number(last),
  }))
  const parse = decoder && parseBy(decoder, questions[0]!)
  const { result, endpoint } = await rpc.together<unknown>(
    [...calls, { method: 'eth_getBlockByNumber', params: [quantity(to), false] }],
    { avoid, ...(signal && { signal }), parse },
  )
  const block = result.at(-1)
  const answers = result.slice(0, -1)
  // If every range is rejected, nothing else matters.
  if (answers.every((answer) => answer instanceof Error))
    return { logs: answers, to, toHash: '0x', misnumbered: new Set(), endpoint }
  if (block instanceof Error && !(block instanceof RpcError && block.class === 'beyond_head')) throw block
  // If the block is missing, the chain has no block of this number, or the backend lags.
  const header = parseHeader(block) ?? (await absent(to, signal))
  if (!header || header.number !== to) return { inconsistency: `block ${to} is not known`, kind: 'lag', endpoint }
  const misnumbered = new Set<number>()
  const logs: (RpcLog[] | Error)[] = []
  let decoded: DecodedLogs<unknown> | undefined
  for (const [i, answer] of answers.entries()) {
    if (answer instanceof Error) {
      logs.push(answer)
      continue
    }
    const verdict = verdictIn(answer) ?? checkLogs(answer, questions[i]!)
    if ('inconsistency' in verdict) return { inconsistency: verdict.inconsistency, kind: 'wrong_log', endpoint }
    if ('decoded' in verdict) decoded = verdict.decoded
    else for (const number of verdict.misnumbered) misnumbered.add(number)
    const own = 'decoded' in verdict ? [] : verdict.logs
    const newest = decoded?.last ?? own.at(-1)
    if (newest && BigInt(newest.blockNumber) === to && newest.blockHash !== header.hash)
      return { inconsistency: `logs of another block ${to}`, kind: 'wrong_log', endpoint }
    logs.push(own)
  }
  return { logs, to, toHash: header.hash, misnumbered, endpoint, ...(decoded && { decoded }) }
}

/** The answer, in which an error replaces the logs of each range that the node cut. */
async function withoutCuts(
  options: RequestLogsOptions,
  ranges: readonly LogRange[],
  answer: LogAnswer,
  avoid: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<LogAnswer | Inconsistency> {
  const { chain, caps } = options
  const { endpoint, decoded } = answer
  const logs = answer.logs.slice()
  const suspicious: { i: number; count: number; end: LogRange; inEnd: number }[] = []
  const noteCut = (i: number, count: number) => {
    caps.noteCut(endpoint, count)
    const detail = `an answer of ${count} logs lacks others`
    const rejection = { class: 'result_cap' } as const
    logs[i] = new RpcError({ ...rejection, chain: chain.name, endpoint, method: 'eth_getLogs', detail, rejection })
  }
  for (const [i, own] of answer.logs.entries()) {
    if (own instanceof Error) continue
    const count = decoded?.count ?? own.length
    const newest = decoded?.last ?? own.at(-1)
    if (!newest || !caps.isSuspicious(endpoint, count)) {
      caps.noteWhole(endpoint, count)
      continue
    }
    const last = BigInt(newest.blockNumber)
    const inLast = decoded?.inLast ?? logsOfLast(own)
    // If all logs are of one block, only later blocks can show a cut.
    const [from, inEnd] = inLast < count ? [last, inLast] : [last + 1n, 0]
    if (from <= ranges[i]!.to) suspicious.push({ i, count, end: { ...ranges[i]!, from }, inEnd })
    else if (caps.cuts(endpoint, count)) noteCut(i, count)
  }
  if (suspicious.length === 0) return { ...answer, logs }
  const ends = suspicious.map(({ end }) => end)
  const again = await requestOnce(options, ends, avoid, signal)
  if ('inconsistency' in again) return again
  for (const [k, { i, count, inEnd }] of suspicious.entries()) {
    const end = again.logs[k]!
    if (end instanceof Error) logs[i] = end
    else if (end.length > inEnd) noteCut(i, count)
    else if (end.length < inEnd)
      return { inconsistency: 'logs of another answer are missing', kind: 'lag', endpoint: again.endpoint }
    else if (again.endpoint === endpoint) caps.noteWhole(endpoint, count)
  }
  return { ...answer, logs }
}

/**
 * Finds answers of eth_getLogs that a node may have cut without an error. Limits are round numbers, so only such an answer is suspicious, and only if it
 * has more logs than any whole answer of its endpoint, or as many as one that was cut.
 */
export type SilentCaps = {
  isSuspicious(endpoint: string, logs: number): boolean
  /** The endpoint returned so many logs, and no others were missing. */
  noteWhole(endpoint: string, logs: number): void
  /** The endpoint returned so many logs, and others were missing. */
  noteCut(endpoint: string, logs: number): void
  /** Whether the last cut of the endpoint left so many logs. */
  cuts(endpoint: string, logs: number): boolean
}

/** Nodes with a lower limit are not known, and small round numbers are common. */
const lowest = 500

export function createSilentCaps(): SilentCaps {
  const most = new Map<string, number>()
  const cut = new Map<string, number>()
  return {
    isSuspicious: (endpoint, logs) => isRound(logs) && (logs > (most.get(endpoint) ?? 0) || logs === cut.get(endpoint)),
    noteWhole: (endpoint, logs) => void most.set(endpoint, Math.max(logs, most.get(endpoint) ?? 0)),
    noteCut: (endpoint, logs) => void cut.set(endpoint, logs),
    cuts: (endpoint, logs) => cut.get(endpoint) === logs,
  }
}

function isRound(logs: number): boolean {
  return logs >= lowest && (logs % lowest === 0 || Number.isInteger(Math.log2(logs)))
}
