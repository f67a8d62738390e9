import { type Hex, quantity } from '../../../util/hex.ts'
import { parseHeader } from '../rpc/parseHeader.ts'
import type { Header, Rpc, RpcLog } from '../rpc/rpc.ts'
import { RpcError } from '../rpc/rpcError.ts'
import { checkLogs, parseBy, verdictIn } from './decodedLogs.ts'
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

/**
 * Requests the logs of several ranges, and the highest block of them, from one backend, in one HTTP request if the node accepts batches. That block
 * shows whether the backend lags. `decoder`: for a single range.
 */
export async function requestLogs(
  options: { rpc: Rpc; absent(number: bigint, signal?: AbortSignal): Promise<Header | undefined> },
  ranges: readonly LogRange[],
  avoid: ReadonlySet<string>,
  signal?: AbortSignal,
  decoder?: LogDecoder<unknown>,
): Promise<LogAnswer | Inconsistency> {
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
  for (const [i, answer] of answers.entries()) {
    if (answer instanceof Error) {
      logs.push(answer)
      continue
    }
    const verdict = verdictIn(answer) ?? checkLogs(answer, questions[i]!)
    if ('inconsistency' in verdict) return { inconsistency: verdict.inconsistency, kind: 'wrong_log', endpoint }
    const newest = 'decoded' in verdict ? verdict.decoded.last : verdict.logs.at(-1)
    if (newest && BigInt(newest.blockNumber) === to && newest.blockHash !== header.hash)
      return { inconsistency: `logs of another block ${to}`, kind: 'wrong_log', endpoint }
    if ('decoded' in verdict)
      return { logs: [[]], to, toHash: header.hash, misnumbered, endpoint, decoded: verdict.decoded }
    for (const number of verdict.misnumbered) misnumbered.add(number)
    logs.push(verdict.logs)
  }
  return { logs, to, toHash: header.hash, misnumbered, endpoint }
}
