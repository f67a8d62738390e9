import { keccak256, toHex } from 'viem'
import type { Address, Hex } from '../src/util/hex.ts'
import { RpcFailure, type RpcHandler } from './rpcServer.ts'

export type ScriptedLog = { address: Address; topics: Hex[]; data?: Hex }

export type ScriptedBlock = {
  number: number
  hash: Hex
  parentHash: Hex
  logsBloom: Hex | null
  /** Each log has its own transaction. */
  logs: Record<string, unknown>[]
}

/** A chain whose every block the test writes, with correct blooms, and a node that returns it truthfully. */
export type ScriptedNode = {
  blocks: ScriptedBlock[]
  /** Adds a block on top; `fork` changes its hash. */
  add(logs?: ScriptedLog[], fork?: string): ScriptedBlock
  /** Removes the last blocks. */
  drop(count: number): void
  /** The block of the finalized tag; undefined: the node rejects the tag. */
  finalized: number | undefined
  /** The truthful node, for `createRpcServer`. `head` makes it lag; `blocks` and `finalized` replace this chain by another. */
  handler(options?: {
    head?: () => number
    blocks?: () => readonly ScriptedBlock[]
    finalized?: () => number
  }): RpcHandler
}

export function createScriptedNode(options: { blocks?: number; blooms?: boolean } = {}): ScriptedNode {
  const blocks: ScriptedBlock[] = []
  const chain: ScriptedNode = {
    blocks,
    finalized: undefined,
    add(logs = [], fork = '') {
      const number = blocks.length
      const parentHash = blocks.at(-1)?.hash ?? toHex(0, { size: 32 })
      const hash = keccak256(toHex(`${number} ${parentHash} ${fork} ${JSON.stringify(logs)}`))
      const block: ScriptedBlock = {
        number,
        hash,
        parentHash,
        logsBloom: options.blooms === false ? null : bloomOf(logs),
        logs: logs.map((log, i) => ({
          data: '0x',
          ...log,
          blockNumber: toHex(number),
          blockHash: hash,
          transactionHash: keccak256(toHex(`${hash} ${i}`)),
          transactionIndex: toHex(i),
          logIndex: toHex(i),
          removed: false,
        })),
      }
      blocks.push(block)
      return block
    },
    drop(count) {
      blocks.splice(blocks.length - count, count)
    },
    handler({ blocks: shown = () => blocks, head = () => shown().length - 1, finalized = () => chain.finalized } = {}) {
      return ({ method, params }) => {
        const known = shown().slice(0, head() + 1)
        if (method === 'eth_chainId') return '0x7a69'
        if (method === 'eth_getBlockByNumber') {
          if (params[0] === 'finalized') {
            const final = finalized()
            if (final === undefined) return new RpcFailure(-32602, 'invalid argument 0: unknown tag')
            return toRpcBlock(shown()[final])
          }
          return toRpcBlock(params[0] === 'latest' ? known.at(-1) : known[Number(params[0])])
        }
        if (method === 'eth_getBlockByHash') return toRpcBlock(known.find(({ hash }) => hash === params[0]))
        if (method === 'eth_getTransactionReceipt') {
          const block = known.find(({ logs }) => logs.some((log) => log.transactionHash === params[0]))
          const logs = block?.logs.filter((log) => log.transactionHash === params[0])
          return block ? { transactionHash: params[0], blockHash: block.hash, logs } : null
        }
        if (method === 'eth_getBlockReceipts') {
          const block = known.find(({ hash }) => hash === params[0])
          if (!block) return null
          return block.logs.map((log) => ({ transactionHash: log.transactionHash, blockHash: block.hash, logs: [log] }))
        }
        if (method === 'eth_getLogs') return getLogs(known, params[0] as LogQuery)
        return new RpcFailure(-32601, 'Method not found')
      }
    },
  }
  for (let i = 0; i < (options.blocks ?? 1); i++) chain.add()
  return chain
}

type LogQuery = {
  address?: Address
  topics?: (Hex[] | null)[]
  fromBlock?: Hex
  toBlock?: Hex
  blockHash?: Hex
}

function getLogs(known: readonly ScriptedBlock[], query: LogQuery): unknown {
  const { blockHash, address, topics = [] } = query
  const inRange = blockHash
    ? known.filter(({ hash }) => hash === blockHash)
    : known.slice(Number(query.fromBlock), Number(query.toBlock) + 1)
  if (blockHash && inRange.length === 0) return new RpcFailure(-32000, 'unknown block')
  return inRange
    .flatMap((block) => block.logs as (ScriptedLog & Record<string, unknown>)[])
    .filter((log) => address === undefined || log.address === address)
    .filter((log) => topics.every((any, i) => log.topics[i] !== undefined && (!any || any.includes(log.topics[i]))))
}

function toRpcBlock(block: ScriptedBlock | undefined) {
  if (!block) return null
  return {
    number: toHex(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: toHex(1_700_000_000 + block.number * 12),
    logsBloom: block.logsBloom,
    transactions: block.logs.map((log) => log.transactionHash),
  }
}

/** The bloom of logs as the yellow paper defines it, independent of the product's code. */
function bloomOf(logs: readonly ScriptedLog[]): Hex {
  let bloom = 0n
  for (const value of logs.flatMap((log) => [log.address, ...log.topics])) {
    const hash = keccak256(value, 'bytes')
    for (const i of [0, 2, 4]) bloom |= 1n << BigInt(((hash[i]! << 8) | hash[i + 1]!) & 2047)
  }
  return toHex(bloom, { size: 256 })
}
