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
import { askNode } from './askNode.ts'
import { followedTimes } from './followedBlocks.ts'

/** A stored block with transfers whose time is not known. `collectionId`: of the collection, or the id of the wallet whose transfers these are. */
export type UntimedBlock = { partition: number; collectionId: bigint; number: bigint; hash: Hex }

/** The times of blocks that neither history nor following brought. */
export type BlockTimes = {
  /**
   * Stores the times of blocks of a chain, so that they are requested once, and gives them by the blocks' names: from the blocks that are
   * followed, else from the nodes. A block that a reorganisation undoes meanwhile is left alone. Throws UnavailableError.
   */
  fill(chainId: bigint, blocks: readonly UntimedBlock[]): Promise<TimesOfBlocks>
}

/** Seconds since 1970 by the name of a block (`nameOfBlock`). */
export type TimesOfBlocks = ReadonlyMap<string, bigint>

/** A block by its number and its hash: logs of two blocks may contain one hash, which is neither's. */
export const nameOfBlock = (number: bigint | number, hash: Hex) => `${number} ${hash}`

type TimedBlock = UntimedBlock & { timestamp: bigint }

/** Times of blocks that are kept in memory: a replica shows what was stored only when it has replayed that. */
const mostKept = 10_000

/** `db`: where times are stored. `of`: whose transfers have the blocks; `wallets`: those that wallets over all contracts have themselves. */
export function createBlockTimes({
  db,
  openChains,
  of = 'collections',
}: {
  db: Database
  openChains: OpenChains
  of?: 'collections' | 'wallets'
}): BlockTimes {
  /** Many clients request the same page at once. */
  const shared = shareCalls<TimesOfBlocks>()
  const kept = createLru<string, bigint>(mostKept)
  /** By collection, as all collections of a chain that is restarted are others. */
  const keyOf = ({ collectionId, number, hash }: UntimedBlock) => `${collectionId} ${nameOfBlock(number, hash)}`

  /** The times of those blocks that are known without a node. */
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
      for (const [name, timestamp] of await askNode(openChains, chainId, 'the time of blocks', (source, signal) =>
        readTimes(source, missing, signal),
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
    // In the order of the key, so that two that set the same times wait for each other in one order.
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

/** The times of blocks, by their names; none if no node answers: the rest of an answer is known without them. */
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
 * By hash. Some nodes name a block in its logs by a hash that the header does not have. If no node has one with that hash and all of the
 * blocks are final, the chain has one block of each number forever, and its time is the time of these logs. Throws
 * InconsistentResponseError for a block that may still be undone.
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
