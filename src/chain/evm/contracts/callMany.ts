import type { Hex } from '../../../util/hex.ts'
import { forEachPart } from '../../../util/mapAtOnce.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { bounded, type ContractCall, confirmFailures, toEthCall, toResult } from './ethCall.ts'
import { callsTogether, type Multicall, multicallsAtOnce } from './multicall.ts'

/**
 * Makes calls and returns the data of each; undefined if a call reverted, ran out of gas, or returned nothing or too much. `tag`: the block whose
 * state is queried; omitted: that of the multicall.
 */
export type CallMany = (calls: readonly ContractCall[], options?: CallOptions) => Promise<(Hex | undefined)[]>
type CallOptions = { tag?: 'latest' | Hex; signal?: AbortSignal | undefined }

export type CallManyOptions = { rpc: Rpc; multicall: Multicall }

/** For cheap views, such as `ownerOf`; `createSettleCalls` is for views that may be expensive. */
export function createCallMany({ rpc, multicall }: CallManyOptions): CallMany {
  async function singly(calls: readonly ContractCall[], { tag, signal }: CallOptions): Promise<(Hex | undefined)[]> {
    const options = signal ? { signal } : {}
    const requested = calls.map((call) => toEthCall(call, tag ?? multicall.tag))
    const results = await confirmFailures(rpc, requested, await rpc.batch<unknown>(requested, options), options)
    return results.map(toResult)
  }

  async function together(calls: readonly ContractCall[], options: CallOptions): Promise<(Hex | undefined)[]> {
    if (calls.length <= 1) return singly(calls, options)
    const parts = await multicall.run(calls, options)
    if (!parts) {
      const half = Math.ceil(calls.length / 2)
      return [...(await together(calls.slice(0, half), options)), ...(await together(calls.slice(half), options))]
    }
    const results = parts.map(({ success, returnData }) => (success ? bounded(returnData) : undefined))
    // A call that uses up its gas takes 63/64 of the rest and fails without a message. It and all later failed calls may pass with gas of their own.
    const starved = parts.findIndex(({ success, returnData }) => !success && returnData === '0x')
    if (starved === -1) return results
    const again = parts.flatMap(({ success }, i) => (i >= starved && !success ? [i] : []))
    const alone = await singly(
      again.map((i) => calls[i]!),
      options,
    )
    for (const [k, i] of again.entries()) results[i] = alone[k]
    return results
  }

  return async (calls, options = {}) => {
    if (calls.length === 0) return []
    if (!(await multicall.isDeployed(options.signal))) return singly(calls, options)
    const results = new Array<Hex | undefined>(calls.length)
    await forEachPart(calls, { size: callsTogether, atOnce: multicallsAtOnce }, async (part, at) => {
      for (const [i, result] of (await together(part, options)).entries()) results[at + i] = result
    })
    return results
  }
}
