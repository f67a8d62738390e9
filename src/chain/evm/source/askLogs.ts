import { type Hex, quantity } from '../../../util/hex.ts'
import { parseHeader } from '../rpc/parseHeader.ts'
import type { Header, Rpc, RpcLog } from '../rpc/rpc.ts'
import { RpcError } from '../rpc/rpcError.ts'
import { readLogs } from './readLogs.ts'
import type { LogRange } from './source.ts'

/** Logs of a range that ends in block `to`, of hash `toHash`. */
export type RangeLogs = { logs: RpcLog[]; to: bigint; toHash: Hex }

/** An inconsistent answer: why it cannot be right, by words and kind. */
export type Doubt = { doubt: string; kind: 'lag' | 'wrong_log'; endpoint: string }

/** Logs of each range, in their order, or the error of the range. `to`: the last block of all ranges, of hash `toHash`. */
export type LogAnswer = {
  logs: (RpcLog[] | Error)[]
  to: bigint
  toHash: Hex
  /** Blocks whose log indexes cannot be right. */
  misnumbered: ReadonlySet<number>
  endpoint: string
}

/**
 * Requests the logs of several ranges, and the highest block of them, from one backend in one HTTP request where the node takes batches. That
 * block shows whether the backend lags.
 */
export async function askLogs(
  options: { rpc: Rpc; absent(number: bigint, signal?: AbortSignal): Promise<Header | undefined> },
  ranges: readonly LogRange[],
  avoid: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<LogAnswer | Doubt> {
  const { rpc, absent } = options
  const to = ranges.reduce((highest, range) => (range.to > highest ? range.to : highest), 0n)
  const calls = ranges.map(({ address, topics, from, to }) => {
    const filter = { address, topics, fromBlock: quantity(from), toBlock: quantity(to) }
    return { method: 'eth_getLogs', params: [filter] }
  })
  const { result, endpoint } = await rpc.together<unknown>(
    [...calls, { method: 'eth_getBlockByNumber', params: [quantity(to), false] }],
    { avoid, ...(signal && { signal }) },
  )
  const block = result.at(-1)
  const answers = result.slice(0, -1)
  // Where every range is refused, nothing else matters.
  if (answers.every((answer) => answer instanceof Error))
    return { logs: answers, to, toHash: '0x', misnumbered: new Set(), endpoint }
  if (block instanceof Error && !(block instanceof RpcError && block.class === 'beyond_head')) throw block
  // Where the block is missing, this chain has no block of the number, or the backend lags.
  const header = parseHeader(block) ?? (await absent(to, signal))
  if (!header || header.number !== to) return { doubt: `block ${to} is not known`, kind: 'lag', endpoint }
  const misnumbered = new Set<number>()
  const logs: (RpcLog[] | Error)[] = []
  for (const [i, answer] of answers.entries()) {
    if (answer instanceof Error) {
      logs.push(answer)
      continue
    }
    const { address, topics, from, to: last } = ranges[i]!
    const question = { address, topics, from: Number(from), to: Number(last) }
    const found = readLogs(answer, question, (number) => misnumbered.add(number))
    if (typeof found === 'string') return { doubt: found, kind: 'wrong_log', endpoint }
    const newest = found.at(-1)
    if (newest && BigInt(newest.blockNumber) === to && newest.blockHash !== header.hash)
      return { doubt: `logs of another block ${to}`, kind: 'wrong_log', endpoint }
    logs.push(found)
  }
  return { logs, to, toHash: header.hash, misnumbered, endpoint }
}
