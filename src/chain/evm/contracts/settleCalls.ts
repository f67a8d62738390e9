import { chunksOf } from '../../../util/chunksOf.ts'
import { type Address, type Hex, quantity } from '../../../util/hex.ts'
import { forEachPart } from '../../../util/mapAtOnce.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { agreeOnCalls, type SettledCall } from './agreeOnCalls.ts'
import { type AnswerBudget, createAnswerBudget, createGasBudget, type GasBudget } from './callBounds.ts'
import { bounded, type ContractCall, toEthCall, toResult } from './ethCall.ts'
import { createGasMemory } from './gasMemory.ts'
import { callsTogether, type Multicall, multicallsAtOnce } from './multicall.ts'
import { findStateBlock, requestWithState } from './stateBlock.ts'

/**
 * Calls views of one contract, whatever gas they take and whatever a single node returns. Calls are sent in multicalls; failed ones in smaller
 * multicalls, and then alone, until responses agree. `since`: lowest block to query. `answerBudget`: bytes of answers after which no more calls are sent;
 * then only the first calls are answered, at least one.
 */
export type SettleCalls = (
  to: Address,
  data: readonly Hex[],
  options?: { since?: bigint | undefined; answerBudget?: number | undefined; signal?: AbortSignal | undefined },
) => Promise<SettledCall[]>

/** Concurrent batches of calls made alone: unlike those of a multicall they share no gas, which would limit their answers. */
const partsAtOnce = 2

/**
 * Limit of a contract's calls that use up all the gas of a node. Beyond it, the contract counts as one with endless views. Its calls are then made
 * with little gas first. Of the failed ones, this many per run may use up all the gas.
 */
const mayRunOut = 8
/** About the gas of a call in a multicall of fifty: nearly every URI that is not generated on chain takes less. */
const littleGas = 1_000_000

/** Multicalls that may fail as a whole before multicalls are abandoned; one more for every two calls that passed. */
const excused = 12

export type SettleCallsOptions = { rpc: Rpc; multicall: Multicall }

export function createSettleCalls({ rpc, multicall }: SettleCallsOptions): SettleCalls {
  const memory = createGasMemory(callsTogether)

  /** Adds the data of passed calls to `passed`. Returns how many calls fit into one multicall, at most `size`. */
  async function together(
    calls: readonly ContractCall[],
    size: number,
    passed: Passed,
    { tag, answerBudget, signal }: Requested,
  ) {
    let fit = size
    let inVain = 0
    // Three endless views use up the gas of their whole multicall.
    const isHopeless = () => inVain > excused + passed.size / 2
    /** `limit`: set if the calls failed within a larger multicall; the number that may fit into one. */
    async function request(part: readonly number[], limit?: number): Promise<void> {
      if (part.length <= 1 || answerBudget.isFull() || isHopeless()) return
      const requested = part.map((i) => calls[i]!)
      const results = await requestWithState(() => multicall.run(requested, { tag, signal }), signal)
      if (!results) {
        inVain++
        const half = Math.ceil(part.length / 2)
        await request(part.slice(0, half), half)
        return request(part.slice(half), half)
      }
      const failed = part.filter((i, k) => {
        const result = results[k]!
        const data = result.success ? bounded(result.returnData) : undefined
        if (data) {
          passed.set(i, { data, narrower: limit !== undefined })
          answerBudget.hold(data)
        }
        return !data
      })
      const next = part.length - failed.length
      if (limit !== undefined && next > 0) fit = Math.min(fit, failed.length > 0 ? next : limit)
      // The passed calls may have used up the gas of the others, so these are retried in parts of that size.
      if (next > 0) for (const some of chunksOf(failed, next)) await request(some, next)
    }
    await forEachPart([...calls.keys()], { size, atOnce: multicallsAtOnce }, (part) => request(part))
    return fit
  }

  /** Sends each call alone. Returns how many of the first calls fit into `answerBudget`: at least those of one part. */
  async function singly(calls: readonly ContractCall[], passed: Passed, { tag, answerBudget, signal, gas }: Requested) {
    let made = 0
    await forEachPart(calls, { size: callsTogether, atOnce: partsAtOnce }, async (part, at) => {
      if (at > 0 && answerBudget.isFull()) return
      made = Math.max(made, at + part.length)
      const requested = part.map((call) => toEthCall(call, tag, gas))
      const request = async () => (await rpc.batch<unknown>(requested, signal && { signal })).map(toResult)
      for (const [i, data] of (await requestWithState(request, signal)).entries()) {
        if (!data) continue
        passed.set(at + i, { data, narrower: false })
        answerBudget.hold(data)
      }
    })
    return made
  }

  /** Sends the calls in multicalls, then alone. Calls beyond the budget or `answerBudget` are in neither `passed` nor `settled`. */
  async function generously(to: Address, calls: readonly ContractCall[], { passed, settled }: Found, how: How) {
    const size = memory.fit(to)
    let fit = size
    if (size > 1 && calls.length > 1) {
      const requested = { tag: await stateTag(how), ...how }
      if (await multicall.isDeployed(how.signal)) fit = await together(calls, size, passed, requested)
      else await singly(calls, passed, requested)
    }
    const open = [...calls.keys()].filter((i) => !passed.has(i))
    const alone = await agreeOnCalls(
      { rpc, block: multicall.block, ...how },
      open.map((i) => calls[i]!),
    )
    for (const [k, found] of alone.entries()) if (found) settled.set(open[k]!, found)
    const regained = alone.filter((found) => found?.kind === 'data').length
    const narrower = [...passed.values()].filter((found) => found.narrower).length
    // One call that passes alone may depend on its token or on a lagging node; several depend on the contract.
    if (calls.length > 1 && regained > Math.max(1, narrower)) memory.rememberFit(to, 1)
    else if (narrower > 1) memory.rememberFit(to, fit)
    if (how.budget.isSpent()) memory.rememberEndless(to, '0x')
  }

  /**
   * Makes each call alone with little gas. Failed ones are repeated with all the gas while the budget lasts, starting after the call that had it
   * last; the others fail for now. Only calls that did not fit into `answerBudget` stay unsettled.
   */
  async function sparingly(to: Address, calls: readonly ContractCall[], { passed, settled }: Found, how: How) {
    const remaining = [...calls.keys()].filter((i) => !passed.has(i) && !settled.has(i))
    const cheap: Passed = new Map()
    const requested = { tag: await stateTag(how), ...how, gas: littleGas }
    const made = await singly(
      remaining.map((i) => calls[i]!),
      cheap,
      requested,
    )
    for (const [k, found] of cheap) passed.set(remaining[k]!, found)
    const after = memory.endless(to)?.after ?? '0x'
    const isLater = (i: number) => Number(calls[i]!.data > after)
    const dear = remaining
      .slice(0, made)
      .filter((i) => !passed.has(i))
      .sort((a, b) => isLater(b) - isLater(a) || (calls[a]!.data < calls[b]!.data ? -1 : 1))
    const alone = await agreeOnCalls(
      { rpc, block: multicall.block, ...how, atOnce: 1 },
      dear.map((i) => calls[i]!),
    )
    for (const [k, i] of dear.entries()) settled.set(i, alone[k] ?? { kind: 'passing', reason: withheld })
    const last = alone.findLastIndex((found) => found !== undefined)
    if (how.budget.isSpent() && last >= 0) memory.rememberEndless(to, calls[dear[last]!]!.data)
  }

  const stateTag = async ({ since, signal }: How) =>
    quantity(multicall.block ?? (await findStateBlock({ rpc, since, signal })))

  return async (to, data, { since, answerBudget: bytes = Number.POSITIVE_INFINITY, signal } = {}) => {
    const calls = data.map((input) => ({ to, data: input }))
    const found: Found = { passed: new Map(), settled: new Map() }
    const how = { since, answerBudget: createAnswerBudget(bytes), budget: createGasBudget(mayRunOut), signal }
    const isKnown = memory.endless(to) !== undefined
    if (!isKnown) await generously(to, calls, found, how)
    if (isKnown || (how.budget.isSpent() && !how.answerBudget.isFull())) await sparingly(to, calls, found, how)
    const { passed, settled } = found
    const unasked = calls.findIndex((_, i) => !passed.has(i) && !settled.has(i))
    return calls
      .slice(0, unasked === -1 ? calls.length : unasked)
      .map((_, i) => settled.get(i) ?? { kind: 'data', data: passed.get(i)!.data })
  }
}

/** The reason of a call that may pass with more gas, which it does not get now. */
const withheld = 'needs more gas than is left, as other calls to the contract use it up'

type How = { since: bigint | undefined; answerBudget: AnswerBudget; budget: GasBudget; signal: AbortSignal | undefined }

type Requested = { tag: Hex; answerBudget: AnswerBudget; signal: AbortSignal | undefined; gas?: number }

type Passed = Map<number, { data: Hex; narrower: boolean }>

type Found = { passed: Passed; settled: Map<number, SettledCall> }
