import type { RpcCall } from './rpc.ts'

/** Limits of the response to an exchange. */
export type AnswerBounds = {
  bytes: number
  /** Depth of nested arrays and objects. */
  nesting: number
}

const mebibyte = 1_048_576

/** Most bytes of any exchange: a block's traces with all inputs. Larger logs are requested in narrower ranges. */
const most = 256 * mebibyte

/** Methods whose responses are short whatever the chain has. A header has the hashes of its transactions: 32 MiB are 450,000. */
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

/** Nested calls go 1,024 deep, each an object in an array. */
const traceNesting = 2_100

/** Deeper than any response but traces. */
const nesting = 64

/** Limits of the response to these calls in one exchange. */
export function answerBounds(calls: readonly RpcCall[]): AnswerBounds {
  const bytes = calls.reduce((sum, call) => sum + bytesOfCall(call), 0)
  const traced = calls.some(({ method }) => method.startsWith('debug_trace') || method.startsWith('trace_'))
  return { bytes: Math.min(most, bytes), nesting: traced ? traceNesting : nesting }
}

/** Whether no data of the chain makes the response to this call long: a long one is a fault of the node. */
export function isShort(call: RpcCall): boolean {
  return bytesOfCall(call) <= 32 * mebibyte
}

function bytesOfCall({ method, params }: RpcCall): number {
  if (method.startsWith('eth_getBlockBy') && params[1] === false) return 32 * mebibyte
  return bytesOf.get(method) ?? most
}
