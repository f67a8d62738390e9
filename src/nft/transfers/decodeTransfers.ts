import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { Topics } from '../../chain/evm/source/source.ts'
import {
  decimalOf,
  readTokenEvent,
  smallNumber,
  type TokenEvent,
  tokenTopic,
} from '../../chain/evm/source/tokenEvents.ts'
import type { Hex } from '../../util/hex.ts'
import { isFoundByTopics } from './indexedLogs.ts'
import { positionOf } from './position.ts'
import type { Transfer } from './transfer.ts'

export type Standard = 'ERC721' | 'ERC1155'

/** Standards of a collection's tokens. `both`: it may have tokens of each; a token's row has its own. */
export type Standards = Standard | 'both'

/** The standards of a collection; null: no token transfers yet. */
export function standardsOf<S extends Standard | null>({
  standard,
  mixed,
}: {
  standard: S
  mixed: boolean
}): 'both' | S {
  return mixed && standard !== null ? 'both' : standard
}

/** How a contract's logs encode transfers; decided before the first is stored. */
export type TransferForm = {
  /** The standard by ERC-165, or by its first log. It may also move tokens of the other one. */
  standard: Standard
  /** Transfers with two indexed addresses have a token id in their data. False: they move coins. Only ERC-721 contracts have such ones. */
  idInData: boolean
}

/**
 * Form for contracts that nobody requested: a log with four topics moves tokens, whatever its contract is. A Transfer of coins has three topics, with
 * the amount in its data.
 */
export const indexedForm: TransferForm = { standard: 'ERC1155', idInData: false }

/** A log with omitted transfers, as in `left_out`. `wide`: it has too many tokens; `surplus`: beyond `sync.maxTokens`. */
export type SkippedTransfers = {
  position: number
  reason: 'wide' | 'surplus'
  /** Number of omitted transfers. */
  transfers: bigint
  /** Of these, those that still count as moved by a ConsecutiveTransfer. */
  rangeMoves: number
  /** 64 hex digits, without 0x. */
  transactionHash: string
}

/** Events that move tokens, of both standards: a contract may have both, such as a proxy with a new implementation. */
export const transferTopics: readonly Hex[] = [
  tokenTopic.transfer,
  tokenTopic.consecutiveTransfer,
  tokenTopic.transferSingle,
  tokenTopic.transferBatch,
]

/**
 * Topics of a contract's logs to read. `coins`: its Transfers without an indexed token id are of coins, of which there may be millions, or there are
 * none. All other token events have four topics.
 */
export function topicsOf(coins: boolean): Topics {
  return coins ? [transferTopics, null, null, null] : [transferTopics]
}

/**
 * Most tokens per log: four times as many as in the largest real log. A ConsecutiveTransfer of 2^256 tokens costs its contract as much as one of two
 * tokens, and this server 10 µs and 500 bytes per token.
 */
export const maxTokensInLog = 100_000

/**
 * The transfers of logs, in order. Other events, coins, malformed logs and logs with more than `maxTokensInLog` tokens have none. `takesRange` may
 * reject a ConsecutiveTransfer of several tokens.
 */
export function* decodeTransfers(
  logs: Iterable<RpcLog>,
  form: TransferForm,
  takesRange: (log: RpcLog, tokens: number) => boolean = () => true,
): Generator<Transfer> {
  for (const log of logs) {
    const event = readTokenEvent(log)
    if (!event || !moves(event, form)) continue
    const tokens = tokensNamed(event)
    if (tokens > maxTokensInLog) continue
    if (event.kind !== 'consecutiveTransfer' || tokens === 1 || takesRange(log, Number(tokens)))
      yield* transfersOf(log, event)
  }
}

/** Number of transfers in logs, counted before decoding. */
export type LogSurvey = {
  transfers: number
  /** Of these, tokens of ConsecutiveTransfers beyond the first of each. */
  rangeMoves: number
  /** Logs with too many tokens. */
  oversized: SkippedTransfers[]
  /** A log does not index its addresses and token, or has dirty padding: a wallet's topics do not find it. */
  unindexed: boolean
}

export function surveyLogs(logs: Iterable<RpcLog>, form: TransferForm): LogSurvey {
  const survey: LogSurvey = { ...nothingFound, oversized: [] }
  for (const log of logs) {
    const event = readTokenEvent(log)
    if (!event || !moves(event, form)) continue
    if (!isFoundByTopics(log)) survey.unindexed = true
    const tokens = tokensNamed(event)
    if (tokens > maxTokensInLog) {
      const position = positionOfLog(log)
      const transactionHash = log.transactionHash.slice(2)
      survey.oversized.push({ position, reason: 'wide', transfers: BigInt(tokens), rangeMoves: 0, transactionHash })
      continue
    }
    survey.transfers += Number(tokens)
    if (event.kind === 'consecutiveTransfer') survey.rangeMoves += Number(tokens) - 1
  }
  return survey
}

/** Result without logs. */
export const nothingFound: LogSurvey = { transfers: 0, rangeMoves: 0, oversized: [], unindexed: false }

const positionOfLog = (log: RpcLog) => positionOf(Number(log.blockNumber), Number(log.logIndex))

type MovingEvent = Exclude<TokenEvent, { kind: 'approval' | 'approvalForAll' }>

/** Transfers of an ERC-1155 contract without an indexed id are of coins. */
function moves(event: TokenEvent, { standard, idInData }: TransferForm): event is MovingEvent {
  if (event.kind === 'multiTransfer' || event.kind === 'consecutiveTransfer') return true
  if (event.kind !== 'transfer') return false
  return event.indexed === 3 || (standard === 'ERC721' && (event.indexed !== 2 || idInData))
}

/** Number of tokens in a log; repeated ones count repeatedly. */
function tokensNamed(event: MovingEvent): number | bigint {
  if (event.kind === 'transfer') return 1
  if (event.kind === 'multiTransfer') return event.ids.length
  const [first, last] = [smallNumber(event.first), smallNumber(event.last)]
  if (first !== undefined && last !== undefined) return last - first + 1
  return BigInt(`0x${event.last}`) - BigInt(`0x${event.first}`) + 1n
}

function* transfersOf(log: RpcLog, event: MovingEvent): Generator<Transfer> {
  const { from, to } = event
  const position = positionOfLog(log)
  const operator = event.kind === 'multiTransfer' ? event.operator : null
  const transactionHash = log.transactionHash.slice(2)
  const transactionIndex = indexOf(log.transactionIndex)
  const blockHash = log.blockHash.slice(2)
  const blockTime = blockTimeOf(log)
  const place = { operator, transactionHash, transactionIndex, blockHash, blockTime }
  const transfer = (item: number, tokenId: string, amount: string): Transfer => {
    return { position, item, tokenId, from, to, amount, ...place }
  }
  if (event.kind === 'transfer') {
    yield transfer(0, decimalOf(event.value), '1')
  } else if (event.kind === 'multiTransfer') {
    const { ids, amounts } = event
    for (let item = 0; item < ids.length; item++) yield transfer(item, decimalOf(ids[item]!), decimalOf(amounts[item]!))
  } else {
    const last = BigInt(`0x${event.last}`)
    let item = 0
    for (let id = BigInt(`0x${event.first}`); id <= last; id++, item++) yield transfer(item, id.toString(), '1')
  }
}

/** Maximum of an integer column. */
const mostIndex = 2 ** 31 - 1

function indexOf(transactionIndex: unknown): number | null {
  const index = typeof transactionIndex === 'string' ? Number(transactionIndex) : Number.NaN
  return index >= 0 && index <= mostIndex && Number.isInteger(index) ? index : null
}

/** Latest plausible block time in seconds since 1970; the next power of ten would be milliseconds. */
export const latestTime = 99_999_999_999

/**
 * Block time in a log (ethereum/execution-apis#639), in seconds since 1970; null if missing or implausible. Some nodes return 0 for an unknown time
 * (ethereum/go-ethereum#32334), and some a number instead of hex digits.
 */
export function blockTimeOf({ blockTimestamp }: RpcLog): number | null {
  if (typeof blockTimestamp !== 'string' && typeof blockTimestamp !== 'number') return null
  const seconds = Number(blockTimestamp)
  return Number.isInteger(seconds) && seconds > 0 && seconds <= latestTime ? seconds : null
}
