import { setTimeout as sleep } from 'node:timers/promises'
import { type Hex, quantity } from '../../../util/hex.ts'
import { forEachPart } from '../../../util/mapAtOnce.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { RpcError } from '../rpc/rpcError.ts'
import type { AnswerBudget, GasBudget } from './callBounds.ts'
import { bounded, type ContractCall, isCut, isUnfinished, isUnnamed, toEthCall } from './ethCall.ts'
import { findStateBlock, lacksState, statePausesMs } from './stateBlock.ts'

export type SettledCall =
  | { kind: 'data'; data: Hex }
  /** Two rejections agree, at a block that the node has: the call would be rejected again. */
  | { kind: 'lasting'; reason: string }
  /** The call may succeed at another node or later. */
  | { kind: 'passing'; reason: string }

export type AgreeOptions = {
  rpc: Rpc
  /** The block whose state is queried; omitted: from `findStateBlock`. */
  block?: bigint | undefined
  since?: bigint | undefined
  answerBudget: AnswerBudget
  /** Once it is spent, no further call is started; earlier calls may be retried. */
  budget: GasBudget
  /** Requests in progress at once. */
  atOnce?: number
  signal?: AbortSignal | undefined
}

/** Gas of a single view: geth's limit for an eth_call. On-chain images take 6 to 30 million. */
const gasAlone = 50_000_000
/** Calls in one request, as each may take a node a fraction of a second. */
const callsEach = 5
const requestsAtOnce = 4
/** Rejections of a call after which it counts as lasting. */
const enough = 2

/**
 * Makes calls with all the gas that a node allows. Data is accepted at once, a rejection when a second one confirms it. Undefined: the call was not
 * made, as `answerBudget` was full or `budget` spent; the first calls are made even if `answerBudget` is full. Throws errors of requests, which show nothing about
 * the calls.
 */
export async function agreeOnCalls(
  options: AgreeOptions,
  calls: readonly ContractCall[],
): Promise<(SettledCall | undefined)[]> {
  const { answerBudget, budget, atOnce = requestsAtOnce } = options
  const unasked = new Set<number>()
  const settled = calls.map((): SettledCall | undefined => undefined)
  const rejected = calls.map(() => 0)
  const inconsistencies = calls.map(() => '')
  const avoid = new Set<string>()
  for (const pauseMs of [0, ...statePausesMs]) {
    const open = [...calls.keys()].filter((i) => !settled[i] && !unasked.has(i))
    if (open.length === 0) break
    if (pauseMs > 0) await sleep(pauseMs, undefined, options.signal && { signal: options.signal })
    const tag = quantity(options.block ?? (await findStateBlock(options)))
    const call = { ...(options.signal && { signal: options.signal }), avoid: new Set(avoid) }
    await forEachPart(open, { size: callsEach, atOnce }, async (part, at) => {
      if (pauseMs === 0 && (budget.isSpent() || (at > 0 && answerBudget.isFull()))) {
        for (const i of part) unasked.add(i)
        return
      }
      const requested = part.map((i) => toEthCall(calls[i]!, tag, gasAlone))
      for (const [k, answer] of (await options.rpc.batch<unknown>(requested, call)).entries()) {
        const i = part[k]!
        const outcome = read(answer)
        if (outcome.kind === 'inconsistency') inconsistencies[i] = outcome.reason
        else if (outcome.kind !== 'refused') settled[i] = outcome
        else if (++rejected[i]! >= enough) settled[i] = { kind: 'lasting', reason: outcome.reason }
        if (outcome.kind === 'data') answerBudget.hold(outcome.data)
        if (outcome.kind === 'passing') budget.runOut()
        if (outcome.kind === 'refused' && answer instanceof RpcError) avoid.add(answer.endpoint)
      }
    })
  }
  return settled.map((found, i) =>
    unasked.has(i)
      ? undefined
      : (found ?? { kind: 'passing', reason: inconsistencies[i] || 'reverts at one node only' }),
  )
}

type CallOutcome = SettledCall | { kind: 'refused'; reason: string } | { kind: 'inconsistency'; reason: string }

function read(answer: unknown): CallOutcome {
  if (!(answer instanceof Error)) {
    if (typeof answer !== 'string' || answer.length <= 2) return { kind: 'refused', reason: 'returns nothing' }
    if (isCut(answer)) return { kind: 'inconsistency', reason: 'is answered with half a byte' }
    const data = bounded(answer as Hex)
    return data ? { kind: 'data', data } : { kind: 'refused', reason: 'returns more data than the limit' }
  }
  if (!(answer instanceof RpcError)) throw answer
  if (answer.class === 'reverted') return { kind: 'refused', reason: 'reverts' }
  if (answer.class === 'response_size') return { kind: 'refused', reason: 'returns more data than the node sends' }
  if (isUnfinished(answer)) return { kind: 'passing', reason: `does not end within ${gasAlone} gas or the node's time` }
  if (isUnnamed(answer) || lacksState(answer) || answer.class === 'invalid_params')
    return { kind: 'inconsistency', reason: `is not answered by the node (${answer.class})` }
  throw answer
}
