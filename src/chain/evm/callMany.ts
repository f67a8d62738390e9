import type { Log } from '../../log.ts'
import { type Address, type Hex, quantity } from '../../util/hex.ts'
import { type CallResult, decodeAggregate3, encodeAggregate3 } from './aggregate3.ts'
import type { EvmChain } from './chains.ts'
import type { Rpc, RpcCall } from './rpc.ts'
import { RpcError } from './rpcError.ts'

export type ContractCall = { to: Address; data: Hex }

/** What each call gave; undefined: it reverted, ran out of gas, gave nothing or too much. */
export type CallMany = (calls: readonly ContractCall[], signal?: AbortSignal) => Promise<(Hex | undefined)[]>

export const multicall3: Address = '0xca11bde05977b3631167028862be2a173976ca11'

/** Gas of one view: enough for a picture drawn on chain, and an endless loop ends in some milliseconds. */
const gasEach = 5_000_000
/** Gas of a multicall: within the 50,000,000 that geth grants an eth_call. */
const gasTogether = 45_000_000
const callsTogether = 50
const multicallsAtOnce = 4
const maxHexLength = 2 + 2 * 2 * 1024 * 1024
/** A chain without Multicall3 may get one. */
const absentMs = 600_000

export type CallManyOptions = {
  rpc: Rpc
  chain: EvmChain
  /** The block whose state is asked; the head if left out. */
  block?: bigint
  log: Log
}

export function createCallMany({ rpc, chain, block, log }: CallManyOptions): CallMany {
  const tag = block === undefined ? 'latest' : quantity(block)
  let present = false
  let absentUntil = Number.NEGATIVE_INFINITY

  async function hasMulticall(signal?: AbortSignal): Promise<boolean> {
    if (present || performance.now() < absentUntil) return present
    const code = await rpc.call<Hex>('eth_getCode', [multicall3, tag], signal && { signal })
    present = typeof code === 'string' && code.length > 2
    if (!present) absentUntil = performance.now() + absentMs
    log.debug({ chain: chain.name, present }, 'multicall looked for')
    return present
  }

  async function singly(calls: readonly ContractCall[], signal?: AbortSignal): Promise<(Hex | undefined)[]> {
    const results = await rpc.batch<unknown>(
      calls.map((call) => toEthCall(call, tag)),
      signal && { signal },
    )
    return results.map(toResult)
  }

  async function together(calls: readonly ContractCall[], signal?: AbortSignal): Promise<(Hex | undefined)[]> {
    if (calls.length <= 1) return singly(calls, signal)
    const params = [{ to: multicall3, data: encodeAggregate3(calls), gas: quantity(gasTogether) }, tag]
    const [answer] = await rpc.batch<unknown>([{ method: 'eth_call', params }], signal && { signal })
    const parts = decode(answer, calls.length)
    if (!parts) {
      const half = Math.ceil(calls.length / 2)
      return [...(await together(calls.slice(0, half), signal)), ...(await together(calls.slice(half), signal))]
    }
    const results = parts.map(({ success, returnData }) => (success ? bounded(returnData) : undefined))
    // A call that burns its gas takes 63/64 of what is left and fails without a word; it and whatever failed after it may
    // pass with gas of their own.
    const starved = parts.findIndex(({ success, returnData }) => !success && returnData === '0x')
    if (starved === -1) return results
    const again = parts.flatMap(({ success }, i) => (i >= starved && !success ? [i] : []))
    const alone = await singly(
      again.map((i) => calls[i]!),
      signal,
    )
    for (const [k, i] of again.entries()) results[i] = alone[k]
    return results
  }

  return async (calls, signal) => {
    if (calls.length === 0) return []
    if (!(await hasMulticall(signal))) return singly(calls, signal)
    const results = new Array<Hex | undefined>(calls.length)
    let next = 0
    const work = async () => {
      while (next < calls.length) {
        const at = next
        next += callsTogether
        const part = await together(calls.slice(at, at + callsTogether), signal)
        for (const [i, result] of part.entries()) results[at + i] = result
      }
    }
    await Promise.all(Array.from({ length: multicallsAtOnce }, work))
    return results
  }
}

export function toEthCall({ to, data }: ContractCall, tag: 'latest' | Hex = 'latest'): RpcCall {
  return { method: 'eth_call', params: [{ to, data, gas: quantity(gasEach) }, tag] }
}

/** The data that an eth_call gave; undefined where the contract is to blame. Throws the node's own faults. */
export function toResult(answer: unknown): Hex | undefined {
  if (!(answer instanceof Error)) return typeof answer === 'string' ? bounded(answer as Hex) : undefined
  if (answer instanceof RpcError && isContractFault(answer)) return undefined
  throw answer
}

/** Codes with which nodes wrap failures of the EVM in words of their own. */
const evmCodes = new Set([3, -32000, -32015])

function isContractFault(error: RpcError): boolean {
  if (error.class === 'reverted' || error.class === 'response_size') return true
  // Only a node that answered blames the call: one that never did says nothing of the contract.
  if (error.rpcCode === undefined) return false
  return error.class === 'timeout' || (error.class === 'unknown' && evmCodes.has(error.rpcCode))
}

/** Undefined where something else stands at the address, or the call as a whole failed; the calls are made in smaller parts. */
function decode(answer: unknown, count: number): CallResult[] | undefined {
  const data = toResult(answer)
  return data && decodeAggregate3(data, count)
}

function bounded(data: Hex): Hex | undefined {
  return data.length > 2 && data.length <= maxHexLength ? data : undefined
}
