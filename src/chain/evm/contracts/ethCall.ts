import { type Address, type Hex, quantity } from '../../../util/hex.ts'
import { maxUriLength } from '../../../util/metadataBounds.ts'
import type { Rpc, RpcCall, RpcOptions } from '../rpc/rpc.ts'
import { RpcError } from '../rpc/rpcError.ts'

export type ContractCall = { to: Address; data: Hex }

/** Gas of a view about which nothing is known: it ends an endless loop within milliseconds. */
const gasEach = 5_000_000

/** Characters of the longest accepted answer: a token URI as an ABI string, with two words before its bytes and padded to a word. */
const maxHexLength = 2 + 2 * (96 + maxUriLength)

export function toEthCall({ to, data }: ContractCall, tag: 'latest' | Hex = 'latest', gas = gasEach): RpcCall {
  return { method: 'eth_call', params: [{ to, data, gas: quantity(gas) }, tag] }
}

/** The call of an address without code, which every node that executes calls answers. */
const idle: ContractCall = { to: '0x000000000000000000000000000000000000dead', data: '0x' }

/**
 * Repeats calls whose failure may be the node's own, beside one that cannot fail: nodes use the same codes and texts for both. Returns the answers with
 * the repeated ones. Throws the node's error if it executes no call.
 */
export async function confirmFailures(
  rpc: Rpc,
  calls: readonly RpcCall[],
  answers: readonly unknown[],
  options: RpcOptions,
): Promise<readonly unknown[]> {
  const unclear = answers.flatMap((answer, i) =>
    isCut(answer) || (answer instanceof RpcError && (isUnnamed(answer) || isReportedTimeout(answer))) ? [i] : [],
  )
  const [first] = unclear
  if (first === undefined) return answers
  const again = [toEthCall(idle, calls[first]!.params[1] as Hex), ...unclear.map((i) => calls[i]!)]
  const [executed, ...repeated] = (await rpc.together<unknown>(again, options)).result
  if (executed instanceof Error) throw executed
  return answers.map((answer, i) => (unclear.includes(i) ? repeated[unclear.indexOf(i)] : answer))
}

/** The data that an eth_call returned; undefined if the contract failed or returned nothing usable. Throws the node's own errors. */
export function toResult(answer: unknown): Hex | undefined {
  if (!(answer instanceof Error)) return typeof answer === 'string' ? bounded(answer as Hex) : undefined
  if (answer instanceof RpcError && isContractFault(answer)) return undefined
  throw answer
}

/** The data of an answer; undefined if it is empty, too long or cut. */
export function bounded(data: Hex): Hex | undefined {
  return data.length > 2 && data.length <= maxHexLength && !isCut(data) ? data : undefined
}

/** Whether an answer has half a byte, which no contract returns. Some nodes write empty data as 0x0. */
export function isCut(answer: unknown): boolean {
  return typeof answer === 'string' && answer.length % 2 === 1 && answer !== '0x0'
}

function isContractFault(error: RpcError): boolean {
  if (error.class === 'reverted' || error.class === 'response_size') return true
  return isUnfinished(error) || isUnnamed(error)
}

/** Whether a view ran out of gas or exceeded the node's time limit; with more it may succeed. */
export function isUnfinished(error: RpcError): boolean {
  return error.class === 'out_of_gas' || isReportedTimeout(error)
}

/** Whether the node itself reported a timeout, which is the call's; one of the request shows nothing about the contract. */
function isReportedTimeout(error: RpcError): boolean {
  return error.class === 'timeout' && error.rpcCode !== undefined
}

/** Whether a node reported the failure of a call with a message that `classifyRejection` does not know. */
export function isUnnamed(error: RpcError): boolean {
  return error.class === 'unknown' && error.rpcCode !== undefined
}
