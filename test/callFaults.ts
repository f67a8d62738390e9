import type { Hex } from '../src/util/hex.ts'
import type { FaultDice } from './faultDice.ts'
import type { CallFault, FaultPlan, Limit } from './faultPlan.ts'
import type { Random } from './random.ts'
import { type Rejection, rangeRejections, rateRejections, resultRejections } from './rejections.ts'

export type ProxiedCall = { jsonrpc: string; id: unknown; method: string; params?: readonly unknown[] }
export type ProxiedAnswer = { jsonrpc: string; id: unknown; result?: unknown; error?: Rejection }

type LogFilter = { fromBlock?: string; toBlock?: string; blockHash?: Hex }
type Log = { address: Hex; blockNumber: Hex; blockHash: Hex }
/** `head` is the last block that the node reports. */
type Strike = { plan: FaultPlan; dice: FaultDice; random: Random; head: bigint }

const keyOf = (call: ProxiedCall) => `${call.method} ${JSON.stringify(call.params)}`
const isNumber = (tag: unknown): tag is Hex => typeof tag === 'string' && tag.startsWith('0x')
const quantity = (value: bigint): Hex => `0x${(value < 0n ? 0n : value).toString(16)}`
/** Methods whose second parameter is a block. */
const stateMethods = new Set(['eth_call', 'eth_getCode', 'eth_getBalance'])
const headTags = ['latest', 'pending', undefined]

/** The rejection of a call that does not reach the node; undefined if the call does. */
export function rejectCall(call: ProxiedCall, { plan, dice, random, head }: Strike): Rejection | undefined {
  const key = keyOf(call)
  const felt = (limit: Limit, rejection: Rejection) => {
    dice.struck(limit, key)
    return rejection
  }
  if (plan.disabledMethods?.includes(call.method))
    return felt('disabledMethod', {
      code: -32601,
      message: `the method ${call.method} does not exist/is not available`,
    })
  if (dice.roll('rateLimited', key)) {
    dice.struck('rateLimited', key)
    return random.pick(rateRejections)
  }
  if (dice.roll('internalError', key)) {
    dice.struck('internalError', key)
    return { code: -32603, message: 'Internal error' }
  }
  const at = call.params?.[1]
  if (stateMethods.has(call.method) && isNumber(at) && BigInt(at) > head)
    return { code: -32000, message: 'header not found' }
  const range = logRange(call, head)
  if (!range) return undefined
  if (plan.rangeCap && range.to - range.from + 1n > plan.rangeCap.blocks)
    return felt('rangeCap', rangeRejections[plan.rangeCap.wording](range, plan.rangeCap.blocks))
  if (plan.rejectPastHead && range.to > head)
    return felt('pastHead', { code: -32602, message: 'block range extends beyond current head block' })
  return undefined
}

/** The call as the proxy forwards it: the chain ends at `head`, and a confused node returns another block. */
export function redirect(call: ProxiedCall, { dice, head: seen }: Strike): ProxiedCall {
  const params = [...(call.params ?? [])]
  const lagged = params.map((param) => (param === 'latest' || param === 'pending' ? quantity(seen) : param))
  if (call.method === 'eth_getLogs') {
    const filter = { ...(params[0] as LogFilter) }
    if (
      !filter.blockHash &&
      (headTags.includes(filter.toBlock) || (isNumber(filter.toBlock) && BigInt(filter.toBlock) > seen))
    )
      filter.toBlock = quantity(seen)
    return { ...call, params: [filter] }
  }
  const tag = params[0]
  if (
    call.method === 'eth_getBlockByNumber' &&
    isNumber(tag) &&
    BigInt(tag) > 0n &&
    dice.roll('wrongBlock', keyOf(call))
  ) {
    dice.struck('wrongBlock', keyOf(call))
    return { ...call, params: [quantity(BigInt(tag) - 1n), params[1]] }
  }
  return { ...call, params: lagged }
}

/** The node's response as the proxy returns it. */
export function distort(call: ProxiedCall, answer: ProxiedAnswer, strike: Strike): ProxiedAnswer {
  if (answer.error) return answer
  const result = distortResult(call, answer.result, strike)
  return isRejection(result)
    ? { jsonrpc: answer.jsonrpc, id: answer.id, error: result.rejection }
    : { ...answer, result }
}

const isRejection = (value: unknown): value is { rejection: Rejection } =>
  typeof value === 'object' && value !== null && 'rejection' in value

function distortResult(call: ProxiedCall, result: unknown, strike: Strike): unknown {
  const { plan, dice, head } = strike
  const key = keyOf(call)
  const strikes = (fault: CallFault) => {
    if (!dice.roll(fault, key)) return false
    dice.struck(fault, key)
    return true
  }
  const nearHead = (block: bigint) => block > head - (plan.nearHeadBlocks ?? 32n)
  if (call.method === 'eth_blockNumber') return quantity(head)
  if (call.method.startsWith('eth_getBlockBy') && result !== null) {
    const number = BigInt((result as { number: Hex }).number)
    if (number > head) return null
    const byTag = call.method === 'eth_getBlockByNumber' && !isNumber(call.params?.[0])
    return !byTag && nearHead(number) && strikes('missingHeader') ? null : result
  }
  if (call.method === 'eth_getBlockReceipts' && Array.isArray(result)) {
    if (result.some((receipt) => BigInt((receipt as Log).blockNumber) > head)) return null
    if (strikes('missingReceipts')) return null
    if (result.length > 0 && strikes('emptyReceipts')) return []
    return result.length > 0 && strikes('wrongBlock') ? moved(result as Log[]) : result
  }
  return call.method === 'eth_getLogs' && Array.isArray(result) ? distortLogs(call, result as Log[], strike) : result
}

function distortLogs(call: ProxiedCall, logs: Log[], strike: Strike): Log[] | { rejection: Rejection } {
  const { plan, dice, random, head } = strike
  const key = keyOf(call)
  const range = logRange(call, head)
  const several = range && range.to > range.from
  if (several && plan.resultCap && logs.length > plan.resultCap.logs) {
    dice.struck('resultCap', key)
    return { rejection: resultRejections[plan.resultCap.wording](range, plan.resultCap.logs) }
  }
  const known = logs.filter((log) => BigInt(log.blockNumber) <= head)
  if (known.length === 0) return known
  const strikes = (fault: CallFault) => {
    if (!dice.roll(fault, key)) return false
    dice.struck(fault, key)
    return true
  }
  const near = BigInt(known.at(-1)!.blockNumber) > head - (plan.nearHeadBlocks ?? 32n)
  if (near && (!range || range.to > head - (plan.nearHeadBlocks ?? 32n)) && strikes('emptyLogs')) return []
  if (strikes('wrongBlock')) return moved(known)
  let given = known
  if (strikes('foreignLogs')) given = given.toSpliced(random.int(given.length + 1), 0, foreign(random.pick(given)))
  if (strikes('duplicatedLogs')) given = given.toSpliced(random.int(given.length + 1), 0, random.pick(given))
  if (given.length > 1 && strikes('reversedLogs')) given = given.toReversed()
  return given
}

const foreign = (log: Log): Log => ({ ...log, address: '0x00000000000000000000000000000000000bad00' })

/** Moves the logs a million blocks up, outside of every range. */
const moved = (list: Log[]): Log[] =>
  list.map((item) => ({
    ...item,
    blockNumber: quantity(BigInt(item.blockNumber) + 1_000_000n),
    blockHash: `0x${'ba'.repeat(32)}`,
  }))

function logRange(call: ProxiedCall, head: bigint): { from: bigint; to: bigint } | undefined {
  if (call.method !== 'eth_getLogs') return undefined
  const filter = call.params?.[0] as LogFilter
  if (filter.blockHash) return undefined
  return {
    from: isNumber(filter.fromBlock) ? BigInt(filter.fromBlock) : 0n,
    to: isNumber(filter.toBlock) ? BigInt(filter.toBlock) : head,
  }
}
