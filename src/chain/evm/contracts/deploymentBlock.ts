import { type Address, quantity } from '../../../util/hex.ts'
import { dataOf } from '../rpc/normalForm.ts'
import type { Rpc, RpcCall } from '../rpc/rpc.ts'
import { RpcError } from '../rpc/rpcError.ts'
import { acceptedBlocks, type RangeCaps } from '../source/logWidth.ts'
import { isPassing } from './stateBlock.ts'

type Options = {
  rpc: Rpc
  address: Address
  head: bigint
  signal?: AbortSignal | undefined
  /** Learns what the search for logs shows about the endpoints. */
  caps?: RangeCaps | undefined
}

/** Heights queried per round: of 24 million blocks, three rounds leave a thousand, and five leave one. */
const points = 32n
/** Time limit of a log search over all blocks: a node without an address index would read its whole history. */
const fullRangeMs = 5_000

/**
 * The first block with code, by bisection, or an earlier one: the deployment is within `within(above)` blocks from it, of `above` blocks between it and
 * the head. Undefined: there is no code at the head, or the node keeps no old state. Also if logs or a repeated answer show an earlier code at the
 * address. `newer`: a later head, for a contract without code at `head`. `onFound` gets the block before all of these logs are searched.
 */
export async function findDeploymentBlock(
  options: Options & {
    newer?: Promise<bigint>
    within?: (above: bigint) => bigint
    onFound?: (block: bigint) => void
  },
): Promise<bigint | undefined> {
  const { within = () => 1n, onFound } = options
  let { head, newer } = options
  // No code below `low`, code at `high`, once that is verified.
  let low = 0n
  let high = head
  let isVerified = false
  /** Logs of the first blocks without code are searched beside the next heights. */
  let searched: { to: bigint; found: Promise<boolean | undefined> } | undefined
  while (!isVerified || high - low >= within(head - high)) {
    const span = high - low
    const count = span < points ? span : points
    const heights = Array.from({ length: Number(count) }, (_, k) => low + (span * BigInt(k)) / count)
    if (!isVerified) heights.push(high)
    const codes = await codesAt(options, heights)
    if (codes.includes(undefined)) return undefined
    if (!isVerified && !codes.at(-1)) {
      low = high + 1n
      high = (await newer) ?? head
      if (high < low) return undefined
      head = high
      newer = undefined
      continue
    }
    isVerified = true
    const first = codes.findIndex((hasCode) => hasCode)
    if (first !== -1) high = heights[first]!
    if (first !== 0) low = heights[first === -1 ? heights.length - 1 : first - 1]! + 1n
    if (searched || low === 0n) continue
    searched = { to: low - 1n, found: hasLogs(options, 0n, low - 1n) }
    searched.found.catch(() => undefined)
  }
  onFound?.(low)
  if (!searched) return low
  const [found, isEmpty] = await Promise.all([searched.found, confirmNoCode(options, low - 1n)])
  if (found === true || !isEmpty) return undefined
  const isSearched = found === undefined || low - 1n === searched.to
  return !isSearched && (await hasLogs(options, searched.to + 1n, low - 1n)) === true ? undefined : low
}

/** Whether an address ever had code: by its logs in all blocks, or by its code at some heights if the node does not search all. */
export async function wasContract(options: Options): Promise<boolean> {
  const logs = await hasLogs(options, 0n, options.head)
  if (logs !== undefined) return logs
  const heights = Array.from({ length: Number(points) }, (_, i) => (options.head * BigInt(i)) / points)
  return (await codesAt(options, [...new Set(heights)])).includes(true)
}

/** Whether there are logs in these blocks; undefined if the node does not answer. */
async function hasLogs(
  { rpc, address, signal, caps }: Options,
  from: bigint,
  to: bigint,
): Promise<boolean | undefined> {
  const limit = AbortSignal.timeout(fullRangeMs)
  const filter = { address, fromBlock: quantity(from), toBlock: quantity(to) }
  const blocks = Number(to - from) + 1
  const started = performance.now()
  try {
    const { result, endpoint } = await rpc.request<unknown>('eth_getLogs', [filter], {
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    if (!Array.isArray(result)) return undefined
    caps?.answered(endpoint, blocks, performance.now() - started)
    return result.length > 0
  } catch (error) {
    signal?.throwIfAborted()
    if (limit.aborted) return undefined
    if (!(error instanceof RpcError)) throw error
    const accepted = error.class === 'range_cap' ? acceptedBlocks(error.rejection, blocks) : undefined
    if (accepted !== undefined) caps?.lower(error.endpoint, blocks, accepted)
    // A node that has too many logs to return has logs.
    return error.class === 'result_cap' ? true : undefined
  }
}

/** Whether there was code at each height; undefined where the node does not have the state. */
async function codesAt(
  { rpc, address, signal }: Options,
  heights: readonly bigint[],
): Promise<(boolean | undefined)[]> {
  const calls = heights.map((height) => toCall(address, height))
  return (await rpc.batch<unknown>(calls, signal && { signal })).map(toCode)
}

/**
 * Repeats an answer that there is no code, at two endpoints if there are two, as one of them did not give it. False if one of them has code there, or
 * none has the state.
 */
async function confirmNoCode({ rpc, address, signal }: Options, height: bigint): Promise<boolean> {
  const avoid = new Set<string>()
  const codes: (boolean | undefined)[] = []
  while (codes.length < Math.min(2, rpc.endpoints)) {
    const options = { avoid, ...(signal && { signal }) }
    const { result, endpoint } = await rpc.together<unknown>([toCall(address, height)], options)
    codes.push(toCode(result[0]))
    avoid.add(endpoint)
  }
  return codes.includes(false) && !codes.includes(true)
}

function toCall(address: Address, height: bigint): RpcCall {
  return { method: 'eth_getCode', params: [address, quantity(height)] }
}

/** Whether an answer is code; undefined if the node does not have the state, for which some nodes return null. */
function toCode(answer: unknown): boolean | undefined {
  if (answer instanceof Error) {
    if (answer instanceof RpcError && !isPassing(answer)) return undefined
    throw answer
  }
  const data = answer === null ? undefined : dataOf(answer)
  return data && data !== '0x'
}
