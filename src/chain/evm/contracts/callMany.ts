import type { Hex } from '../../../util/hex.ts'
import { forEachPart } from '../../../util/mapAtOnce.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { bounded, type ContractCall, toEthCall, toResult } from './ethCall.ts'
import { callsTogether, type Multicall, multicallsAtOnce } from './multicall.ts'

/** Makes calls and gives the data of each; undefined where a call reverted, ran out of gas, gave nothing or too much. */
export type CallMany = (calls: readonly ContractCall[], signal?: AbortSignal) => Promise<(Hex | undefined)[]>

export type CallManyOptions = { rpc: Rpc; multicall: Multicall }

/** For views that cost little, such as `ownerOf`; `createSettleCalls` is for those that may cost much. */
export function createCallMany({ rpc, multicall }: CallManyOptions): CallMany {
  async function singly(calls: readonly ContractCall[], signal?: AbortSignal): Promise<(Hex | undefined)[]> {
    const results = await rpc.batch<unknown>(
      calls.map((call) => toEthCall(call, multicall.tag)),
      signal && { signal },
    )
    return results.map(toResult)
  }

  async function together(calls: readonly ContractCall[], signal?: AbortSignal): Promise<(Hex | undefined)[]> {
    if (calls.length <= 1) return singly(calls, signal)
    const parts = await multicall.run(calls, { signal })
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
    if (!(await multicall.isDeployed(signal))) return singly(calls, signal)
    const results = new Array<Hex | undefined>(calls.length)
    await forEachPart(calls, { size: callsTogether, atOnce: multicallsAtOnce }, async (part, at) => {
      for (const [i, result] of (await together(part, signal)).entries()) results[at + i] = result
    })
    return results
  }
}
