import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { keccak256, toHex } from 'viem'
import type { Address, Hex } from '../src/util/hex.ts'
import { RawAnswer, type RpcExchange, RpcFailure, type RpcHandler } from './rpcServer.ts'

/** The limits of a node. An omitted limit does not apply. */
export type NodeRules = {
  /** Milliseconds until it answers an HTTP request. */
  delayMs?: number
  /** Maximum blocks of one eth_getLogs. */
  maxBlocks?: number
  /** Maximum logs of one eth_getLogs. */
  maxLogs?: number
  /** Calls a second, with a burst of the same size. Each call of a batch counts. Further calls get HTTP 429. */
  callsPerSecond?: number
  /** If true, the rejection of a range does not contain the allowed number of blocks. */
  isUnresponsive?: boolean
}

/** Counts of the calls to a far node, and of those that it rejected. */
export type FarCounts = {
  requests: number
  calls: Record<string, number>
  /** Calls of eth_getLogs for a range, not for a block by its hash. */
  ranges: number
  /** Rejected ranges, by their width. */
  rejected: Record<string, number>
  rateLimited: number
  /** The largest number of logs in one response. */
  mostLogs: number
}

export type FarChain = {
  contract: Address
  /** The block of each mint, ascending. Block `first` deploys the contract. */
  mints: readonly number[]
  /** Number of addresses that receive the tokens in turn; the default is 500. */
  holders?: number
  first: number
  finalized: number
}

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const unfinalized = 64
const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`
const quantityOf = (value: number): Hex => `0x${value.toString(16)}`
/** The bloom of a block without logs of the contract contains a log of another contract. */
const ofOthers = { address: `0x${'07'.repeat(20)}` as Hex, topics: [`0x${'8c5be1e5'.repeat(8)}`] }

/** The hash of a block, which ends with the block's number. */
const hashOf = (number: number): Hex => `0x${'fa4b10c5'.repeat(6)}${number.toString(16).padStart(16, '0')}`
const numberOf = (hash: string): number => Number.parseInt(hash.slice(-16), 16)

/**
 * A node of a chain with millions of blocks, each generated on request. Its one ERC-721 contract only mints. The node enforces `rules`.
 * `call`: the result of eth_call, hex without 0x; undefined if the call reverts.
 */
export function createFarNode(
  chain: FarChain,
  rules: NodeRules = {},
  call: (to: string, data: string) => string | undefined = () => '',
): { handler: RpcHandler; counts: FarCounts } {
  const { contract, mints, first, finalized, holders = 500 } = chain
  const head = finalized + unfinalized
  const headTime = Math.floor(Date.now() / 1_000)
  const counts: FarCounts = { requests: 0, calls: {}, ranges: 0, rejected: {}, rateLimited: 0, mostLogs: 0 }
  const admitted = new WeakMap<RpcExchange, boolean>()
  let tokens = rules.callsPerSecond ?? 0
  let filledAt = performance.now()

  /** The index of the first mint at or after a block. */
  function placeOf(block: number): number {
    let [low, high] = [0, mints.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (mints[middle]! < block) low = middle + 1
      else high = middle
    }
    return low
  }

  function logOf(token: number) {
    const block = mints[token]!
    const index = token - placeOf(block)
    return {
      address: contract,
      topics: [transferTopic, word(0), word(1 + (token % holders)), word(token)],
      data: '0x',
      blockNumber: quantityOf(block),
      blockHash: hashOf(block),
      transactionHash: `0x${createHash('sha256').update(`mint ${token}`).digest('hex')}`,
      transactionIndex: quantityOf(index),
      logIndex: quantityOf(index),
      removed: false,
    }
  }

  /** The tokens minted in a range. `receivers`: only tokens minted to these, in the form of topics. */
  function mintedIn(from: number, to: number, receivers?: readonly string[]): number[] {
    const [begin, end] = [placeOf(from), placeOf(to + 1)]
    if (!receivers) return Array.from({ length: end - begin }, (_, i) => begin + i)
    const places = receivers.map((topic) => Number(topic) - 1).filter((place) => place >= 0 && place < holders)
    const minted = places.flatMap((place) => {
      const next = begin + ((((place - begin) % holders) + holders) % holders)
      return Array.from({ length: Math.max(0, Math.ceil((end - next) / holders)) }, (_, i) => next + i * holders)
    })
    return minted.sort((a, b) => a - b)
  }

  const logsOf = (from: number, to: number) => mintedIn(from, to).map(logOf)

  function blockOf(tag: unknown) {
    const number = tag === 'latest' ? head : tag === 'finalized' ? finalized : Number(tag)
    if (!(number >= 0 && number <= head)) return null
    const logs = logsOf(number, number)
    return {
      number: quantityOf(number),
      hash: hashOf(number),
      parentHash: number === 0 ? word(0) : hashOf(number - 1),
      timestamp: quantityOf(headTime - (head - number) * 2),
      logsBloom: bloomOf(logs.length > 0 ? logs : [ofOthers]),
      transactions: logs.map((log) => log.transactionHash),
    }
  }

  function getLogs(filter: Record<string, unknown>): unknown {
    const of = filter.blockHash === undefined ? undefined : numberOf(String(filter.blockHash))
    const from = of ?? Number(filter.fromBlock ?? 0)
    const to = of ?? Number(filter.toBlock)
    const width = to - from + 1
    if (of === undefined) counts.ranges++
    if (rules.maxBlocks !== undefined && width > rules.maxBlocks) {
      reject(width)
      const limit = rules.isUnresponsive ? '' : `, the limit is ${rules.maxBlocks}`
      return new RpcFailure(-32000, `block range is too large${limit}`)
    }
    const [requested, giver, receiver] = (filter.topics ?? []) as (string | string[] | null | undefined)[]
    const isRequested = requested === undefined || requested === null || [requested].flat().includes(transferTopic)
    if (filter.address !== undefined && ![filter.address].flat().includes(contract)) return []
    if (!isRequested || (giver && ![giver].flat().includes(word(0)))) return []
    if (receiver) return mintedIn(from, to, [receiver].flat()).map(logOf)
    const matching = placeOf(to + 1) - placeOf(from)
    if (rules.maxLogs !== undefined && matching > rules.maxLogs) {
      reject(width)
      return new RpcFailure(-32005, `query returned more than ${rules.maxLogs} results`)
    }
    counts.mostLogs = Math.max(counts.mostLogs, matching)
    return logsOf(from, to)
  }

  function reject(width: number): void {
    counts.rejected[width] = (counts.rejected[width] ?? 0) + 1
  }

  /** Whether the rate limit allows all calls of a request. */
  function admit(exchange: RpcExchange): boolean {
    const known = admitted.get(exchange)
    if (known !== undefined) return known
    counts.requests++
    const rate = rules.callsPerSecond
    let isAdmitted = true
    if (rate !== undefined) {
      const now = performance.now()
      tokens = Math.min(rate, tokens + ((now - filledAt) / 1_000) * rate)
      filledAt = now
      isAdmitted = tokens >= exchange.calls.length
      if (isAdmitted) tokens -= exchange.calls.length
      else counts.rateLimited++
    }
    admitted.set(exchange, isAdmitted)
    return isAdmitted
  }

  function answer(method: string, params: readonly unknown[]): unknown {
    const [one, two] = params
    switch (method) {
      case 'eth_chainId':
        return '0x7a69'
      case 'eth_blockNumber':
        return quantityOf(head)
      case 'eth_getBlockByNumber':
        return blockOf(one)
      case 'eth_getBlockByHash':
        return blockOf(numberOf(String(one)))
      case 'eth_getBlockReceipts': {
        const number = String(one).length === 66 ? numberOf(String(one)) : Number(one)
        return logsOf(number, number).map((log) => ({ ...log, status: '0x1', logs: [log] }))
      }
      case 'eth_getCode':
        return one === contract && (two === 'latest' || Number(two) >= first) ? '0x6080' : '0x'
      case 'eth_getLogs':
        return getLogs(one as Record<string, unknown>)
      case 'eth_call': {
        const { to, data, input } = one as { to: string; data?: string; input?: string }
        const output = call(to.toLowerCase(), (data ?? input ?? '0x').slice(2))
        return output === undefined ? new RpcFailure(3, 'execution reverted', '0x') : `0x${output}`
      }
      default:
        return new RpcFailure(-32601, 'Method not found')
    }
  }

  return {
    counts,
    async handler({ method, params }, exchange) {
      const isAdmitted = admit(exchange)
      if (rules.delayMs !== undefined) await sleep(rules.delayMs)
      if (!isAdmitted)
        return new RawAnswer(429, { jsonrpc: '2.0', id: null, error: { code: 429, message: 'Too many requests' } })
      counts.calls[method] = (counts.calls[method] ?? 0) + 1
      return answer(method, params)
    },
  }
}

/** The bloom of logs as the yellow paper defines it. */
function bloomOf(logs: readonly { address: Hex; topics: readonly string[] }[]): Hex {
  let bloom = 0n
  for (const value of logs.flatMap((log) => [log.address, ...log.topics])) {
    const hash = keccak256(value as Hex, 'bytes')
    for (const i of [0, 2, 4]) bloom |= 1n << BigInt(((hash[i]! << 8) | hash[i + 1]!) & 2047)
  }
  return toHex(bloom, { size: 256 })
}
