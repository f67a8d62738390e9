import { type Address, quantity } from '../../../util/hex.ts'
import { isCode } from '../rpc/normalForm.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { RpcError } from '../rpc/rpcError.ts'

type Options = { rpc: Rpc; address: Address; head: bigint; signal?: AbortSignal | undefined }

/** Heights queried per round: of 24 million blocks, three rounds leave a thousand, and five leave one. */
const points = 32n
/** Time limit of a log search over all blocks: a node without an address index would read its whole history. */
const fullRangeMs = 5_000

/**
 * The first block with code, by bisection, or an earlier one: the deployment is within `within` blocks from it. Undefined: there is no code at the
 * head, or the node keeps no old state. Also if logs of earlier blocks show that the code is not the first at the address.
 */
export async function findDeploymentBlock(options: Options & { within?: bigint }): Promise<bigint | undefined> {
  const { within = 1n } = options
  // No code below `low`, code at `high`.
  let low = 0n
  let high = options.head
  while (high - low >= within) {
    const span = high - low
    const count = span < points ? span : points
    const heights = Array.from({ length: Number(count) }, (_, k) => low + (span * BigInt(k)) / count)
    const codes = await codesAt(options, heights)
    if (!codes) return undefined
    const first = codes.findIndex((hasCode) => hasCode)
    if (first === 0) return settled(options, low)
    if (first > 0) high = heights[first]!
    low = heights[first === -1 ? heights.length - 1 : first - 1]! + 1n
  }
  // If no code was found below the head, the code at the head is still unverified.
  if (high === options.head && !(await codesAt(options, [high]))?.[0]) return undefined
  return settled(options, low)
}

async function settled(options: Options, block: bigint): Promise<bigint | undefined> {
  if (block === 0n) return block
  return (await hasLogs({ ...options, head: block - 1n })) === true ? undefined : block
}

/** Whether an address ever had code: by its logs in all blocks, or by its code at some heights if the node does not search all. */
export async function wasContract(options: Options): Promise<boolean> {
  const logs = await hasLogs(options)
  if (logs !== undefined) return logs
  const heights = Array.from({ length: Number(points) }, (_, i) => (options.head * BigInt(i)) / points)
  return (await codesAt(options, [...new Set(heights)]))?.some((hasCode) => hasCode) ?? false
}

/** Whether there are logs up to `head`; undefined if the node does not answer. */
async function hasLogs({ rpc, address, head, signal }: Options): Promise<boolean | undefined> {
  const limit = AbortSignal.timeout(fullRangeMs)
  const filter = { address, fromBlock: '0x0', toBlock: quantity(head) }
  try {
    const logs = await rpc.call<unknown>('eth_getLogs', [filter], {
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    return Array.isArray(logs) ? logs.length > 0 : undefined
  } catch (error) {
    signal?.throwIfAborted()
    if (limit.aborted) return undefined
    if (!(error instanceof RpcError)) throw error
    // A node that has too many logs to return has logs.
    return error.class === 'result_cap' ? true : undefined
  }
}

/** Whether there was code at each height; undefined if the node fails for one of them. */
async function codesAt({ rpc, address, signal }: Options, heights: readonly bigint[]): Promise<boolean[] | undefined> {
  const calls = heights.map((height) => ({ method: 'eth_getCode', params: [address, quantity(height)] }))
  const answers = await rpc.batch<unknown>(calls, signal && { signal })
  const codes: boolean[] = []
  for (const answer of answers) {
    if (answer instanceof Error) {
      if (answer instanceof RpcError && !isPassing(answer)) return undefined
      throw answer
    }
    codes.push(isCode(answer))
  }
  return codes
}

/** Whether an error is about the request; every other error is about the requested state. */
function isPassing(error: RpcError): boolean {
  return error.rpcCode === undefined || error.class === 'rate_limit' || error.class === 'overload'
}
