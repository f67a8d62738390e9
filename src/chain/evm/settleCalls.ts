import { type Address, type Hex, quantity } from '../../util/hex.ts'
import { agreeOnCalls, type SettledCall } from './agreeOnCalls.ts'
import { bounded, type ContractCall, toEthCall, toResult } from './ethCall.ts'
import { forEachPart } from './forEachPart.ts'
import { createGasMemory } from './gasMemory.ts'
import { callsTogether, type Multicall, multicallsAtOnce } from './multicall.ts'
import type { Rpc } from './rpc.ts'
import { askWithState, findStateBlock } from './stateBlock.ts'

/**
 * What views of one contract give, whatever gas they take and whatever one node says: in multicalls, what fails there in
 * smaller ones, and what fails there too alone, until answers agree.
 */
export type SettleCalls = (
  to: Address,
  data: readonly Hex[],
  options?: { since?: bigint | undefined; signal?: AbortSignal | undefined },
) => Promise<SettledCall[]>

export type SettleCallsOptions = { rpc: Rpc; multicall: Multicall }

export function createSettleCalls({ rpc, multicall }: SettleCallsOptions): SettleCalls {
  const memory = createGasMemory(callsTogether)

  /** Adds what passes to `passed`, and answers how many fit together where too many were asked for. */
  async function together(calls: readonly ContractCall[], size: number, passed: Passed, { tag, signal }: Asked) {
    let fit = size
    /** `limit`: the calls failed together with others; so many of them may pass. */
    async function ask(part: readonly number[], limit?: number): Promise<void> {
      if (part.length <= 1) return
      const asked = part.map((i) => calls[i]!)
      const results = await askWithState(() => multicall.run(asked, { tag, signal }), signal)
      if (!results) {
        const half = Math.ceil(part.length / 2)
        await ask(part.slice(0, half), half)
        return ask(part.slice(half), half)
      }
      const failed = part.filter((i, k) => {
        const result = results[k]!
        const data = result.success ? bounded(result.returnData) : undefined
        if (data) passed.set(i, { data, narrower: limit !== undefined })
        return !data
      })
      const next = part.length - failed.length
      if (limit !== undefined && next > 0) fit = Math.min(fit, failed.length > 0 ? next : limit)
      // The gas may have been used up, after as many as passed: a call's place in a part is to decide nothing.
      if (next > 0) for (let at = 0; at < failed.length; at += next) await ask(failed.slice(at, at + next), next)
    }
    await forEachPart([...calls.keys()], { size, atOnce: multicallsAtOnce }, (part) => ask(part))
    return fit
  }

  async function singly(calls: readonly ContractCall[], passed: Passed, { tag, signal }: Asked): Promise<void> {
    const asked = calls.map((call) => toEthCall(call, tag))
    const ask = async () => (await rpc.batch<unknown>(asked, signal && { signal })).map(toResult)
    for (const [i, data] of (await askWithState(ask, signal)).entries())
      if (data) passed.set(i, { data, narrower: false })
  }

  return async (to, data, { since, signal } = {}) => {
    const calls = data.map((input) => ({ to, data: input }))
    const passed: Passed = new Map()
    const size = memory.fit(to)
    let fit = size
    if (size > 1 && calls.length > 1) {
      const asked = { tag: quantity(multicall.block ?? (await findStateBlock({ rpc, since, signal }))), signal }
      if (await multicall.isDeployed(signal)) fit = await together(calls, size, passed, asked)
      else await singly(calls, passed, asked)
    }
    const open = [...calls.keys()].filter((i) => !passed.has(i))
    const alone = await agreeOnCalls(
      { rpc, block: multicall.block, since, signal },
      open.map((i) => calls[i]!),
    )
    const regained = alone.filter(({ kind }) => kind === 'data').length
    const narrower = [...passed.values()].filter((found) => found.narrower).length
    // One call that passes later tells of its token, or of a node that lagged; several tell of the contract.
    if (calls.length > 1 && regained > Math.max(1, narrower)) memory.learn(to, 1)
    else if (narrower > 1) memory.learn(to, fit)
    const settled = new Map(open.map((i, k) => [i, alone[k]!]))
    return calls.map((_, i) => settled.get(i) ?? { kind: 'data', data: passed.get(i)!.data })
  }
}

type Asked = { tag: Hex; signal: AbortSignal | undefined }

type Passed = Map<number, { data: Hex; narrower: boolean }>
