import type { Hex } from 'viem'
import { expect } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import type { Anvil } from '../anvil.ts'
import { keptBodies, type StreamClient } from './streamServer.ts'

/** Number of confirmations of the chain in these tests. */
export const confirmations = 3

type ChainLog = { address: Address; topics: Hex[]; data: Hex; transactionHash: Hex; logIndex: Hex; blockHash: Hex }
type ChainTransaction = { hash: Hex; from: Address; to: Address | null }
type ChainBlock = { number: bigint; hash: Hex; logs: ChainLog[]; transactions: ChainTransaction[] }

/** The whole chain, as the node returns it. */
export async function readChain(anvil: Anvil): Promise<ChainBlock[]> {
  const head = await anvil.blockNumber()
  const blocks: ChainBlock[] = []
  for (let number = 0n; number <= head; number++) {
    const at = `0x${number.toString(16)}`
    const block = await anvil.rpc<{ hash: Hex; transactions: ChainTransaction[] }>('eth_getBlockByNumber', [at, true])
    const logs = await anvil.rpc<ChainLog[]>('eth_getLogs', [{ fromBlock: at, toBlock: at }])
    blocks.push({ number, hash: block.hash, logs, transactions: block.transactions })
  }
  return blocks
}

/** Blocks in which a stream watches an address. */
export type Span = { address: string; from: bigint; to: bigint | null }
/** The data that a stream should get, by a rule that is independent of the product's. */
export type Expected = {
  id: string
  from: bigint
  /** undefined: every address. */
  spans: Span[] | undefined
  takesLog?: (log: ChainLog) => boolean
  takesTransactions?: boolean
  allLogs?: boolean
}

const named = (log: ChainLog) => [log.address, ...log.topics.slice(1).map((topic) => `0x${topic.slice(26)}`)]

function expectedOf(stream: Expected, blocks: readonly ChainBlock[], upTo: bigint): string[] {
  return blocks.flatMap(({ number, hash, logs, transactions }) => {
    if (number < stream.from || number > upTo) return []
    const watched = (address: string | null) =>
      stream.spans === undefined ||
      stream.spans.some((s) => s.address === address && s.from <= number && (s.to === null || number < s.to))
    let own = stream.takesLog ? logs.filter((log) => stream.takesLog!(log) && named(log).some(watched)) : []
    const txs = stream.takesTransactions ? transactions.filter(({ from, to }) => watched(from) || watched(to)) : []
    if (stream.allLogs) {
      const hashes = new Set([...own.map((log) => log.transactionHash), ...txs.map((tx) => tx.hash)])
      own = logs.filter((log) => hashes.has(log.transactionHash))
    }
    return [
      ...own.map((log) => `${hash} log ${Number(log.logIndex)} ${log.transactionHash}`),
      ...txs.map((tx) => `${hash} tx ${tx.hash}`),
    ]
  })
}

export async function gotOf(t: StreamClient, id: string, kind: 'first' | 'reported' | 'confirmed'): Promise<string[]> {
  const bodies = await keptBodies(t, id, kind)
  if (kind === 'confirmed') for (const body of bodies) expect(body.confirmed).toBe(true)
  return bodies.flatMap(({ block, logs, txs }) => [
    ...logs.map((log) => `${block.hash} log ${log.logIndex} ${log.transactionHash}`),
    ...txs.map((tx) => `${block.hash} tx ${tx.hash}`),
  ])
}

/** Expects streams to match the chain exactly: webhooks up to the head, and confirmed webhooks up to the confirmed block. */
export async function expectTruth(t: StreamClient, anvil: Anvil, streams: readonly Expected[]): Promise<void> {
  await anvil.mine(1)
  const blocks = await readChain(anvil)
  const head = blocks.at(-1)!
  await t.untilFollowed(head.hash)
  for (const stream of streams) {
    const expected = expectedOf(stream, blocks, head.number)
    expect(new Set(await gotOf(t, stream.id, 'reported'))).toEqual(new Set(expected))
    const confirmed = expectedOf(stream, blocks, head.number - BigInt(confirmations))
    const got = await gotOf(t, stream.id, 'confirmed')
    expect(new Set(got)).toEqual(new Set(confirmed))
    expect(got.length).toBe(new Set(got).size)
  }
}
