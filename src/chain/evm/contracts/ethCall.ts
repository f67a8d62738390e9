import { maxUriLength } from '../../../util/documentBounds.ts'
import { type Address, type Hex, quantity } from '../../../util/hex.ts'
import type { RpcCall } from '../rpc/rpc.ts'
import { RpcError } from '../rpc/rpcError.ts'

export type ContractCall = { to: Address; data: Hex }

/** Gas of one view where nothing is known of it: an endless loop ends in some milliseconds. */
const gasEach = 5_000_000

/** Of the longest answer that is read, a token URI as an ABI string: two words before its bytes, filled up to a whole word. */
const maxHexLength = 2 + 2 * (96 + maxUriLength)

export function toEthCall({ to, data }: ContractCall, tag: 'latest' | Hex = 'latest', gas = gasEach): RpcCall {
  return { method: 'eth_call', params: [{ to, data, gas: quantity(gas) }, tag] }
}

/** The data that an eth_call gave; undefined where the contract is to blame. Throws the node's own faults. */
export function toResult(answer: unknown): Hex | undefined {
  if (!(answer instanceof Error)) return typeof answer === 'string' ? bounded(answer as Hex) : undefined
  if (answer instanceof RpcError && isContractFault(answer)) return undefined
  throw answer
}

/** Undefined for no data and for more than is read. */
export function bounded(data: Hex): Hex | undefined {
  return data.length > 2 && data.length <= maxHexLength ? data : undefined
}

/** Codes with which nodes wrap failures of the EVM in words of their own. */
const evmCodes = new Set([3, -32000, -32015])

function isContractFault(error: RpcError): boolean {
  if (error.class === 'reverted' || error.class === 'response_size') return true
  return isUnfinished(error) || isUnnamed(error)
}

/** The view ran out of gas or of the node's time: with more of both it may give something. */
export function isUnfinished(error: RpcError): boolean {
  // Only a node that answered blames the call: one that never did says nothing of the contract.
  return error.class === 'out_of_gas' || (error.class === 'timeout' && error.rpcCode !== undefined)
}

/** A failure in words that no rule knows, under a code of the EVM's failures. */
export function isUnnamed(error: RpcError): boolean {
  return error.class === 'unknown' && error.rpcCode !== undefined && evmCodes.has(error.rpcCode)
}
