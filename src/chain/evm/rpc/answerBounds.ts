import type { RpcCall } from './rpc.ts'

/** What the answer to an exchange may have. */
export type AnswerBounds = {
  bytes: number
  /** Arrays and objects within one another. */
  nesting: number
}

const mebibyte = 1_048_576

/** Most of any exchange: a block's traces with all inputs. Logs that take more are requested in narrower ranges. */
const most = 256 * mebibyte

/** Methods whose answers are short whatever the chain holds. A header has the hashes of its transactions: 32 MiB are 450,000. */
const bytesOf: ReadonlyMap<string, number> = new Map([
  ['eth_chainId', mebibyte / 16],
  ['eth_blockNumber', mebibyte / 16],
  ['eth_getBalance', mebibyte / 16],
  // 24 kB on public chains (EIP-170), but development chains may have no limit.
  ['eth_getCode', 16 * mebibyte],
  ['eth_getTransactionByHash', 16 * mebibyte],
  ['eth_getTransactionReceipt', 64 * mebibyte],
  ['eth_getLogs', 64 * mebibyte],
])

/** Calls within calls go 1,024 deep, each an object in an array. */
const traceNesting = 2_100

/** Deeper than any answer but traces. */
const nesting = 64

/** Bounds of the answer to these calls in one exchange. */
export function answerBounds(calls: readonly RpcCall[]): AnswerBounds {
  const bytes = calls.reduce((sum, call) => sum + bytesOfCall(call), 0)
  const traced = calls.some(({ method }) => method.startsWith('debug_trace') || method.startsWith('trace_'))
  return { bytes: Math.min(most, bytes), nesting: traced ? traceNesting : nesting }
}

/** Whether no answer to this call is long because of what the chain holds: a long one is an error of the node. */
export function isShort(call: RpcCall): boolean {
  return bytesOfCall(call) <= 32 * mebibyte
}

function bytesOfCall({ method, params }: RpcCall): number {
  if (method.startsWith('eth_getBlockBy') && params[1] === false) return 32 * mebibyte
  return bytesOf.get(method) ?? most
}
