import { createHash } from 'node:crypto'
import type { Header, RpcLog } from '../src/chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../src/chain/evm/source/source.ts'
import { tokenTopic } from '../src/chain/evm/source/tokenEvents.ts'
import type { Address, Hex } from '../src/util/hex.ts'

/** An ERC-721 transfer in a script. */
export type ScriptedTransfer = { token: number; from: number; to: number }

type Block = { header: Header; logs: RpcLog[] }

/** An EvmSource of a chain whose every block a test writes. Forks can have any depth. */
export type ScriptedChain = {
  source: EvmSource
  address: Address
  /** Adds a block on top of the canonical chain. */
  add(transfers: readonly ScriptedTransfer[]): void
  /** Drops the last `depth` blocks. */
  drop(depth: number): void
  /** Blocks this far below the head, and older ones, are final. */
  finalityDepth: number
  /** Canonical logs, oldest first. */
  logs(): RpcLog[]
  head(): bigint
}

const account = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`

export function createScriptedChain(address: Address, finalityDepth: number): ScriptedChain {
  const blocks: Block[] = []
  let made = 0

  function add(transfers: readonly ScriptedTransfer[]): void {
    const number = BigInt(blocks.length)
    const hash: Hex = `0x${createHash('sha256').update(`block ${made++}`).digest('hex')}`
    const parentHash = blocks.at(-1)?.header.hash ?? `0x${'0'.repeat(64)}`
    const quantity: Hex = `0x${number.toString(16)}`
    const logs = transfers.map(
      ({ token, from, to }, index): RpcLog => ({
        address,
        topics: [tokenTopic.transfer, account(from), account(to), account(token)],
        data: '0x',
        blockNumber: quantity,
        blockHash: hash,
        transactionHash: `0x${createHash('sha256').update(`${hash} ${index}`).digest('hex')}`,
        transactionIndex: '0x0',
        logIndex: `0x${index.toString(16)}`,
      }),
    )
    blocks.push({
      header: { number, hash, parentHash, timestamp: number, logsBloom: null, transactionCount: logs.length },
      logs,
    })
  }

  const chain: ScriptedChain = {
    address,
    finalityDepth,
    add,
    drop: (depth) => void blocks.splice(blocks.length - depth),
    logs: () => blocks.flatMap((block) => block.logs),
    head: () => BigInt(blocks.length - 1),
    source: {
      identity: async () => ({ chainId: 1n, genesisHash: blocks[0]!.header.hash }),
      async head() {
        const finalized = BigInt(Math.max(0, blocks.length - 1 - chain.finalityDepth))
        return { head: blocks.at(-1)!.header, finalized, finalizedUnderHead: finalized }
      },
      headerUnder: async (head, number) =>
        blocks[Number(head.number)]?.header.hash === head.hash ? blocks[Number(number)]?.header : undefined,
      headers: async (from, to) => blocks.slice(Number(from), Number(to) + 1).map((block) => block.header),
      headersOf: async (named) => named.map(({ number }) => blocks[Number(number)]!.header),
      confirm: async () => undefined,
      headerByHash: async (hash) => blocks.find((block) => block.header.hash === hash)?.header,
      logs: async ({ from, to, topics }) => {
        const last = blocks[Number(to)] ?? blocks.at(-1)!
        const logs = blocks.slice(Number(from), Number(last.header.number) + 1).flatMap((block) => block.logs)
        return {
          logs: logs.filter((log) => topics.every((any, i) => any?.includes(log.topics[i]!) ?? i < log.topics.length)),
          to: last.header.number,
          toHash: last.header.hash,
        }
      },
      blockLogs: async (header) => {
        const block = blocks[Number(header.number)]
        return block?.header.hash === header.hash ? block.logs : []
      },
      transactions: async () => [],
      receipts: async () => [],
      internalTransfers: async () => [],
      senders: async (hashes) => hashes.map(() => null),
      balances: async (_, addresses) => addresses.map(() => 0n),
      close: async () => undefined,
    },
  }
  add([])
  return chain
}
