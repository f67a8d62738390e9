import { expect } from 'vitest'
import { knownChains } from '../src/chain/evm/chains.ts'
import type { RpcLog } from '../src/chain/evm/rpc/rpc.ts'
import { tokenTopic } from '../src/chain/evm/source/tokenEvents.ts'
import type { Database } from '../src/db/database.ts'
import { createMetrics } from '../src/metrics/metrics.ts'
import { followDiscovery } from '../src/nft/discovery/followDiscovery.ts'
import type { BlockHandler, FollowedBlock } from '../src/sync/blockHandler.ts'
import type { Address, Hex } from '../src/util/hex.ts'

/** The Ethereum handler that follows discovered contracts. */
export const createDiscovery = (db: Database, discover = true): BlockHandler =>
  followDiscovery({
    db,
    chain: { ...knownChains[0]!, id: 1n, name: 'eth', configured: true, discover },
    keepDays,
    metrics: createMetrics(),
  })

export const keepDays = 2

const word = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`
const words = (...all: number[]): Hex => `0x${all.map((n) => word(n).slice(2)).join('')}`
export const addressOf = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`

function logOf(address: Address, topics: Hex[], data: Hex): RpcLog {
  const place = { blockNumber: '0x1', blockHash: word(1), transactionHash: word(2), transactionIndex: '0x0' } as const
  return { address, topics, data, logIndex: '0x0', ...place }
}

/** Logs by the kind of transfer. */
export const logs = {
  erc721: (address: Address, from: number) => logOf(address, [tokenTopic.transfer, word(from), word(7), word(1)], '0x'),
  coin: (address: Address, from: number) => logOf(address, [tokenTopic.transfer, word(from), word(7)], words(5)),
  single: (address: Address, from: number) =>
    logOf(address, [tokenTopic.transferSingle, word(9), word(from), word(7)], words(1, 5)),
  /** Two tokens. */
  batch: (address: Address, from: number) =>
    logOf(address, [tokenTopic.transferBatch, word(9), word(from), word(7)], words(64, 160, 2, 1, 2, 2, 5, 5)),
  /** Four tokens. */
  consecutive: (address: Address, from: number) =>
    logOf(address, [tokenTopic.consecutiveTransfer, word(10), word(from), word(7)], words(13)),
  /** More tokens than one log may contain. */
  oversized: (address: Address, from: number) =>
    logOf(address, [tokenTopic.consecutiveTransfer, word(0), word(from), word(7)], words(1_000_000)),
}
export const tokensIn = { erc721: 1, coin: 0, single: 1, batch: 2, consecutive: 4, oversized: 0 }

export type Block = {
  number: bigint
  time: number
  logs: RpcLog[]
  moved: { address: Address; transfers: number; mints: number }[]
}

export const followed = ({ number, time, logs }: Block, undoable: boolean) =>
  ({ header: { number, timestamp: BigInt(time) }, logs, undoable }) as unknown as FollowedBlock

/** Runs one step of the follower in a transaction. `isLost`: the process ends before the commit. */
export async function step(
  db: Database,
  handler: BlockHandler,
  {
    fork,
    blocks,
    finalized,
    reverted = false,
    isLost = false,
  }: { fork: bigint; blocks: Block[]; finalized: bigint; reverted?: boolean; isLost?: boolean },
): Promise<void> {
  const all = blocks.map((block) => followed(block, block.number > finalized))
  await handler.prepare?.({ fork, blocks: all })
  const lost = new Error('lost')
  const work = db.transaction(async (tx) => {
    if (reverted) await handler.revert(tx, fork)
    for (const block of all) await handler.apply(tx, block)
    await handler.finalize(tx, finalized)
    if (isLost) throw lost
  })
  if (isLost) return expect(work).rejects.toBe(lost)
  await work
  handler.committed({ fork, blocks: all, finalized, released: false })
}

/** A block with one ERC-721 transfer of each contract. */
export function blockOf(number: bigint, time: number, contracts: readonly Address[]): Block {
  return { number, time, logs: contracts.map((address) => logs.erc721(address, 1)), moved: [] }
}

export type Row = [address: Address, block: bigint, time: bigint, blocks: bigint, transfers: bigint, mints: bigint]

export async function readRows(db: Database) {
  const hex = (column: string) => `'0x' || encode(${column}, 'hex')`
  const rows = await db.rows<Row>(
    `SELECT ${hex('address')}, first_block, first_time, blocks, transfers, mints FROM discovered_contract ORDER BY address`,
  )
  const hours = await db.rows<[Address, bigint, bigint]>(
    `SELECT ${hex('d.address')}, coalesce(sum(h.transfers), 0)::int8, coalesce(sum(h.mints), 0)::int8
     FROM discovered_contract d LEFT JOIN discovered_hour h USING (partition, chain_id, address) GROUP BY d.address ORDER BY d.address`,
  )
  const known = await db.rows<[Address]>(`SELECT ${hex('address')} FROM collection ORDER BY address`)
  return { rows, hours, known: known.map(([address]) => address) }
}
