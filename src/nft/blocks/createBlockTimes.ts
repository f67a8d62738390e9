import type { EvmSource } from '../../chain/evm/source/source.ts'
import { InconsistentResponseError } from '../../chain/evm/source/sourceError.ts'
import { type Database, joinByKeys } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import type { OpenChains } from '../../sync/openChains.ts'
import { createLru } from '../../util/createLru.ts'
import { UnavailableError } from '../../util/errors.ts'
import { type Hex, hexToBuffer } from '../../util/hex.ts'
import { shareCalls } from '../../util/shareCalls.ts'
import { positionsPerBlock } from '../transfers/position.ts'
import { followedTimes } from './followedBlocks.ts'
import { requestFromNode } from './requestFromNode.ts'

/**
 * A stored block with transfers but without a known time. `collectionId`: of the collection, or of the wallet that has
 * the transfers.
 */
export type UntimedBlock = { partition: number; collectionId: bigint; number: bigint; hash: Hex }

/** Times of blocks that neither history nor following stored. */
export type BlockTimes = {
  /**
   * Stores block times of a chain, so that they are requested once, and returns them by block name: from followed
   * blocks, else from nodes. Skips blocks that a reorg undoes meanwhile. Throws UnavailableError.
   */
  fill(chainId: bigint, blocks: readonly UntimedBlock[]): Promise<TimesOfBlocks>
}

/** Seconds since 1970 by the name of a block (`nameOfBlock`). */
export type TimesOfBlocks = ReadonlyMap<string, bigint>

/** A block by number and hash: logs of two blocks may contain one hash that belongs to neither. */
export const nameOfBlock = (number: bigint | number, hash: Hex) => `${number} ${hash}`

/** The last second of the year 9999, shown for later times: some chains use finer units, and a later year has five digits. */
export const latestSecond = 253_402_300_799

/** The shown time of a block by its seconds since 1970. */
export const dateOf = (seconds: bigint) => new Date(Math.min(Number(seconds), latestSecond) * 1_000)

/** Times of blocks with transfers of collections, and of blocks with transfers that only wallets have. */
export type PageTimes = { transfers: BlockTimes; moves: BlockTimes }

/** `db`: stores times. */
export const createPageTimes = (options: { db: Database; openChains: OpenChains }): PageTimes => ({
  transfers: createBlockTimes(options),
  moves: createBlockTimes({ ...options, of: 'wallets' }),
})

type TimedBlock = UntimedBlock & { timestamp: bigint }

/** Times cached in memory, as a replica shows stored ones only after replay. */
const mostKept = 10_000

/** `db`: stores times. `of`: whose transfers; `wallets`: those that only wallets have. */
export function createBlockTimes({
  db,
  openChains,
  of = 'collections',
}: {
  db: Database
  openChains: OpenChains
  of?: 'collections' | 'wallets'
}): BlockTimes {
  /** Concurrent requests for the same page share a read. */
  const shared = shareCalls<TimesOfBlocks>()
  const kept = createLru<string, bigint>(mostKept)
  /** By collection, as a restarted chain has new collections. */
  const keyOf = ({ collectionId, number, hash }: UntimedBlock) => `${collectionId} ${nameOfBlock(number, hash)}`

  /** Times known without a node. */
  async function knownTimes(chainId: bigint, blocks: ReadonlyMap<string, UntimedBlock>): Promise<Map<string, bigint>> {
    const times = new Map<string, bigint>()
    for (const [name, block] of blocks) {
      const time = kept.get(keyOf(block))
      if (time !== undefined) times.set(name, time)
    }
    if (times.size < blocks.size) {
      const numbers = Array.from(blocks.values(), ({ number }) => number)
      for (const { number, hash, timestamp } of await followedTimes(db, chainId, numbers))
        times.set(nameOfBlock(number, hash), timestamp)
    }
    return times
  }

  async function fill(chainId: bigint, blocks: readonly UntimedBlock[]): Promise<TimesOfBlocks> {
    const named = new Map(blocks.map((block) => [nameOfBlock(block.number, block.hash), block]))
    const times = await knownTimes(chainId, named)
    const missing = [...named].flatMap(([name, { number, hash }]) => (times.has(name) ? [] : [{ number, hash }]))
    if (missing.length > 0)
      for (const [name, timestamp] of await requestFromNode(
        openChains,
        chainId,
        'the time of blocks',
        (source, signal) => readTimes(source, missing, signal),
      ))
        times.set(name, timestamp)
    for (const [name, block] of named) {
      const time = times.get(name)
      if (time !== undefined) kept.set(keyOf(block), time)
    }
    const timed = blocks.flatMap((block) => {
      const timestamp = times.get(nameOfBlock(block.number, block.hash))
      return timestamp === undefined ? [] : [{ ...block, timestamp }]
    })
    // In key order, so that concurrent writers of the same times cannot deadlock.
    timed.sort(
      (a, b) => a.partition - b.partition || Number(a.collectionId - b.collectionId) || Number(a.number - b.number),
    )
    await db.transaction(async (tx) => {
      for (const text of setTimes[of]) await tx.run(text, timedRows.lists(timed))
    }, joinByKeys)
    return times
  }

  return {
    fill: (chainId, blocks) => shared(`${chainId} ${blocks.map(keyOf).join()}`, () => fill(chainId, blocks)),
  }
}

/** Block times by name; empty if no node responds, as the rest of an answer does not depend on them. */
export async function timesIfReachable(
  times: BlockTimes,
  chainId: bigint,
  untimed: ReadonlyMap<string, UntimedBlock>,
): Promise<TimesOfBlocks> {
  if (untimed.size === 0) return new Map()
  try {
    return await times.fill(chainId, [...untimed.values()])
  } catch (error) {
    if (error instanceof UnavailableError) return new Map()
    throw error
  }
}

/**
 * Reads times by hash. Some nodes return logs with a hash that is not the header's. If no node has the hash and all
 * blocks are final, the time is read by number. Throws InconsistentResponseError for a block that may still be undone.
 */
async function readTimes(
  source: EvmSource,
  blocks: readonly { number: bigint; hash: Hex }[],
  signal: AbortSignal,
): Promise<[name: string, timestamp: bigint][]> {
  const headers = await source.headersOf(blocks, signal).catch(async (error: unknown) => {
    if (!(error instanceof InconsistentResponseError)) throw error
    const { finalized } = await source.head(signal)
    if (blocks.some(({ number }) => number > finalized)) throw error
    return source.headersOf(
      blocks.map(({ number }) => ({ number })),
      signal,
    )
  })
  return blocks.map(({ number, hash }, i) => [nameOfBlock(number, hash), headers[i]!.timestamp])
}

const timedRows = defineLists<TimedBlock>({
  partition: list.int2(({ partition }) => partition),
  collection_id: list.int8(({ collectionId }) => collectionId),
  number: list.int8(({ number }) => number),
  hash: list.bytea(({ hash }) => hexToBuffer(hash)),
  timestamp: list.int8(({ timestamp }) => timestamp),
})

const inBlock = (position: string) =>
  `${position} >= v.number * ${positionsPerBlock} AND ${position} < (v.number + 1) * ${positionsPerBlock}`

const setMoveTimes = `
UPDATE wallet_move t SET block_time = v.timestamp FROM ${timedRows.unnest()}
WHERE t.partition = v.partition AND t.wallet_id = v.collection_id AND ${inBlock('t.position')}
  AND t.block_hash = v.hash AND t.block_time IS NULL AND t.partition = ANY($1::int2[])`

const setHoldingTimes = `
UPDATE wallet_holding t SET received_time = v.timestamp FROM ${timedRows.unnest()}
WHERE t.partition = v.partition AND t.wallet_id = v.collection_id AND ${inBlock('t.received_position')}
  AND t.received_time IS NULL AND t.partition = ANY($1::int2[]) AND EXISTS (
    SELECT 1 FROM wallet_move m
    WHERE m.partition = t.partition AND m.wallet_id = t.wallet_id AND m.position = t.received_position AND m.block_hash = v.hash
  )`

const setTransferTimes = `
UPDATE transfer t SET block_time = v.timestamp FROM ${timedRows.unnest()}
WHERE t.partition = v.partition AND t.collection_id = v.collection_id AND ${inBlock('t.position')}
  AND t.block_hash = v.hash AND t.block_time IS NULL AND t.partition = ANY($1::int2[])`

const setTimes = { collections: [setTransferTimes], wallets: [setMoveTimes, setHoldingTimes] }
