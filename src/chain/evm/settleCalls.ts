import { type Address, type Hex, quantity } from '../../util/hex.ts'
import { agreeOnCalls, type SettledCall } from './agreeOnCalls.ts'
import { type AnswerRoom, createAnswerRoom } from './answerRoom.ts'
import { bounded, type ContractCall, toEthCall, toResult } from './ethCall.ts'
import { forEachPart } from './forEachPart.ts'
import { createGasMemory } from './gasMemory.ts'
import { callsTogether, type Multicall, multicallsAtOnce } from './multicall.ts'
import type { Rpc } from './rpc.ts'
import { askWithState, findStateBlock } from './stateBlock.ts'

/**
 * What views of one contract give, whatever gas they take and whatever one node says: in multicalls, what fails there in
 * smaller ones, and what fails there too alone, until answers agree. With `room`, in bytes, no more is asked once so much is held:
 * then the answers are those of the first calls, of one at least.
 */
export type SettleCalls = (
  to: Address,
  data: readonly Hex[],
  options?: { since?: bigint | undefined; room?: number | undefined; signal?: AbortSignal | undefined },
) => Promise<SettledCall[]>

/** Parts of calls that are made each for itself: unlike those of a multicall, they share no gas that would bound their answers. */
const partsAtOnce = 2

export type SettleCallsOptions = { rpc: Rpc; multicall: Multicall }

export function createSettleCalls({ rpc, multicall }: SettleCallsOptions): SettleCalls {
  const memory = createGasMemory(callsTogether)

  /** Adds what passes to `passed`, and answers how many fit together where too many were asked for. */
  async function together(calls: readonly ContractCall[], size: number, passed: Passed, { tag, room, signal }: Asked) {
    let fit = size
    /** `limit`: the calls failed together with others; so many of them may pass. */
    async function ask(part: readonly number[], limit?: number): Promise<void> {
      if (part.length <= 1 || room.isFull()) return
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
        if (data) {
          passed.set(i, { data, narrower: limit !== undefined })
          room.hold(data)
        }
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

  async function singly(calls: readonly ContractCall[], passed: Passed, { tag, room, signal }: Asked): Promise<void> {
    await forEachPart(calls, { size: callsTogether, atOnce: partsAtOnce }, async (part, at) => {
      if (room.isFull()) return
      const asked = part.map((call) => toEthCall(call, tag))
      const ask = async () => (await rpc.batch<unknown>(asked, signal && { signal })).map(toResult)
      for (const [i, data] of (await askWithState(ask, signal)).entries()) {
        if (!data) continue
        passed.set(at + i, { data, narrower: false })
        room.hold(data)
      }
    })
  }

  return async (to, data, { since, room: bytes = Number.POSITIVE_INFINITY, signal } = {}) => {
    const calls = data.map((input) => ({ to, data: input }))
    const passed: Passed = new Map()
    const room = createAnswerRoom(bytes)
    const size = memory.fit(to)
    let fit = size
    if (size > 1 && calls.length > 1) {
      const asked = { tag: quantity(multicall.block ?? (await findStateBlock({ rpc, since, signal }))), room, signal }
      if (await multicall.isDeployed(signal)) fit = await together(calls, size, passed, asked)
      else await singly(calls, passed, asked)
    }
    const open = [...calls.keys()].filter((i) => !passed.has(i))
    const alone = await agreeOnCalls(
      { rpc, block: multicall.block, since, room, signal },
      open.map((i) => calls[i]!),
    )
    const regained = alone.filter((found) => found?.kind === 'data').length
    const narrower = [...passed.values()].filter((found) => found.narrower).length
    // One call that passes later tells of its token, or of a node that lagged; several tell of the contract.
    if (calls.length > 1 && regained > Math.max(1, narrower)) memory.learn(to, 1)
    else if (narrower > 1) memory.learn(to, fit)
    const unasked = open.find((_, k) => alone[k] === undefined) ?? calls.length
    const settled = new Map(open.map((i, k) => [i, alone[k]!]))
    return calls.slice(0, unasked).map((_, i) => settled.get(i) ?? { kind: 'data', data: passed.get(i)!.data })
  }
}

type Asked = { tag: Hex; room: AnswerRoom; signal: AbortSignal | undefined }

type Passed = Map<number, { data: Hex; narrower: boolean }>
