import type { EvmChain } from '../chain/evm/chains.ts'
import type { ContractReader } from '../chain/evm/contract.ts'
import type { RpcLog } from '../chain/evm/rpc.ts'
import type { EvmSource } from '../chain/evm/source.ts'
import { type Database, sqlState, type Transaction } from '../db/database.ts'
import { MintmarkError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { backfill } from '../sync/backfill.ts'
import { type BlockRange, gapsOf } from '../sync/blockRange.ts'
import * as store from './collectionStore.ts'
import {
  decodeTransfers,
  isUnindexed,
  type SkippedLog,
  type Standard,
  topic,
  transferTopics,
  unindexedTokenId,
} from './decodeTransfers.ts'
import {
  type CollectionKey,
  mergeStaged,
  stageTransfers,
  storeTransfers,
  type TransferGroup,
  transferGroup,
} from './storeTransfers.ts'
import type { Transfer } from './transfer.ts'

export type HistoryOptions = {
  chain: EvmChain
  source: EvmSource
  contracts: ContractReader
  db: Database
  /** This worker's id, undefined where it holds no leases any more. */
  worker: () => number | undefined
  settings: { rangesInFlight: number; maxTokens: number; firstRange: number }
  metrics: Metrics
  log: Log
}

/** Another worker or the follower has the collection now; what was read is void. Not a fault. */
export class TurnLostError extends MintmarkError {
  readonly code = 'TURN_LOST'
}

/** A collection beyond the configured bound. */
export class TooManyTokensError extends MintmarkError {
  readonly code = 'TOO_MANY_TOKENS'
}

/** What a read brought, ready to be stored; `rest` begins anew with each call, as a transaction may be tried again. */
type Batch = { first: TransferGroup | undefined; rest: () => Iterable<TransferGroup> }

/** Transfers merged at once: bounds memory whatever a range holds. */
const chunkSize = 50_000

/** Logs that one read should bring: enough to make its cost small, few enough to keep memory flat (1.5 kB each while read). */
const logsPerRead = 6_000

/** Width of the first reads, before anything is known of how busy the contract is. */
const firstRead = 1_000

/** Widest read where a contract is quiet. */
const widestRead = 2_000_000n

/** How a turn ended. */
export type HistoryOutcome = 'complete' | 'over' | 'none' | 'undecided'

/**
 * Reads what is missing of a collection's history up to the finalized block. `complete`: nothing is missing now; `over`: the
 * turn ended first; `none`: its logs say that it is no NFT contract; `undecided`: complete, and nothing says what it is.
 */
export async function readHistory(
  options: HistoryOptions,
  due: store.DueCollection & { fromBlock: bigint },
  turn: { isOver: () => boolean; signal: AbortSignal },
): Promise<HistoryOutcome> {
  const { chain, source, contracts, db, settings, metrics, log } = options
  const key = { partition: due.partition, id: due.id }
  const { head, finalized } = await source.head(turn.signal)
  const whole = { from: due.fromBlock, to: finalized }
  const ended = new AbortController()
  let standard = due.standard ?? undefined
  let deciding: Promise<Standard | 'none' | undefined> = Promise.resolve(standard)
  let width = BigInt(Math.min(settings.firstRange, firstRead))

  /** The standard that a batch of logs tells, asked one batch after another so that one answer holds for all. */
  function decide(logs: readonly RpcLog[], signal: AbortSignal): Promise<Standard | 'none' | undefined> {
    deciding = deciding.then(async (known) => {
      if (known) return known
      const found = await standardOf(logs, due.address, contracts, signal)
      if (found && found !== 'none') await store.setStandard(db, key, found)
      return found
    })
    return deciding
  }

  async function read(range: BlockRange, signal: AbortSignal): Promise<{ batch: Batch; to: bigint }> {
    const { logs, to } = await source.logs(
      { address: due.address, topics: [transferTopics(standard)], ...range },
      signal,
    )
    metrics.logs.inc({ chain: chain.name, phase: 'history' }, logs.length)
    if (standard === undefined) {
      const decided = await decide(logs, signal)
      if (decided === 'none') ended.abort()
      else standard = decided
    }
    width = nextWidth(width, range, to, logs.length)
    return { batch: prepare(logs), to }
  }

  /** The first chunk ahead of its transaction; further ones, of few hostile contracts, inside it to keep memory flat. */
  function prepare(logs: readonly RpcLog[]): Batch {
    if (standard === undefined || logs.length === 0) return { first: undefined, rest: () => [] }
    const skipped: SkippedLog[] = []
    const collection: CollectionKey = { ...key, address: due.address, standard }
    const decode = () => chunksOf(decodeTransfers(logs, collection.standard, (entry) => skipped.push(entry)))
    const [first] = decode().take(1)
    if (skipped.length > 0)
      log.warn({ chain: chain.name, collection: due.address, logs: skipped.length, first: skipped[0] }, 'logs left out')
    return {
      first: first && transferGroup(collection, first),
      rest: () =>
        first?.length === chunkSize
          ? decode()
              .drop(1)
              .map((transfers) => transferGroup(collection, transfers))
          : [],
    }
  }

  async function commit(range: BlockRange, batch: Batch, turn: () => Promise<void>): Promise<void> {
    if (ended.signal.aborted) return
    const worker = options.worker()
    if (worker === undefined) throw new TurnLostError('this process holds no leases')
    const lost = new TurnLostError('the collection is worked on elsewhere')
    const { first } = batch
    const work = async (tx: Transaction) => {
      if (first) await stageTransfers(tx, [first])
      await turn()
      if (!(await store.cover(tx, key, range, worker))) throw lost
      return first ? mergeBatch(tx, first, batch.rest()) : { transfers: 0, tokens: 0n }
    }
    const { transfers, tokens } = await db.transaction(work).catch(async (error: unknown) => {
      // The transfers are there already: another worker stored them, or a node gives two logs one position.
      const known = sqlState(error) === '23505'
      throw known && !(await store.mayCover(db, key, range, worker)) ? lost : error
    })
    metrics.rows.inc({ chain: chain.name, table: 'transfer' }, transfers)
    const fields = { chain: chain.name, collection: due.address, from: String(range.from), to: String(range.to) }
    log.debug({ ...fields, transfers }, 'history')
    if (tokens > BigInt(settings.maxTokens))
      throw new TooManyTokensError(`more than ${settings.maxTokens} tokens (sync.maxTokens)`)
  }

  /** `tokens`: how many the collection lists then. */
  async function mergeBatch(
    tx: Transaction,
    first: TransferGroup,
    rest: Iterable<TransferGroup>,
  ): Promise<{ transfers: number; tokens: bigint }> {
    let transfers = first.transfers.length
    const changes = await mergeStaged(tx, [first])
    for (const group of rest) {
      changes.push(...(await storeTransfers(tx, [group])))
      transfers += group.transfers.length
    }
    const listed = changes.reduce((sum, change) => sum + change.listed, 0n)
    const [tokens = 0n] = await store.raiseVersions(tx, [{ ...key, listed }])
    return { transfers, tokens }
  }

  await backfill({
    gaps: whole.to >= whole.from ? gapsOf(whole, due.coverage) : [],
    inFlight: settings.rangesInFlight,
    width: () => width,
    read,
    commit,
    isOver: () => turn.isOver() || ended.signal.aborted,
    signal: turn.signal,
  })
  if (ended.signal.aborted) return 'none'
  if (turn.isOver()) return 'over'
  if (standard !== undefined) return 'complete'
  // What it first did may not be final yet: enough to tell what it is, and read by whoever follows the chain.
  const recent = await source.logs(
    { address: due.address, topics: [transferTopics(standard)], from: finalized, to: head.number },
    turn.signal,
  )
  const decided = await decide(recent.logs, turn.signal)
  return decided === undefined ? 'undecided' : decided === 'none' ? 'none' : 'complete'
}

/** Twice as wide after a read that brought little, narrower after one that brought much. */
function nextWidth(width: bigint, asked: BlockRange, to: bigint, logs: number): bigint {
  const complete = to === asked.to
  const asWide = asked.to - asked.from + 1n >= width
  if (logs > 1.5 * logsPerRead) return width / 2n > 1n ? width / 2n : 1n
  if (complete && asWide && logs < 0.6 * logsPerRead) return width * 2n < widestRead ? width * 2n : widestRead
  return width
}

/** What the first telling log says; undefined where none tells. ERC-20 transfers have three topics. */
async function standardOf(
  logs: readonly RpcLog[],
  address: `0x${string}`,
  contracts: ContractReader,
  signal: AbortSignal,
): Promise<Standard | 'none' | undefined> {
  for (const entry of logs) {
    const [first] = entry.topics
    if (first === topic.transferSingle || first === topic.transferBatch) return 'ERC1155'
    if (first === topic.consecutiveTransfer) return 'ERC721'
    if (first !== topic.transfer) continue
    if (entry.topics.length === 4) return 'ERC721'
    if (entry.topics.length === 3) return 'none'
    if (!isUnindexed(entry)) continue
    // An ERC-20 that indexes nothing looks the same; it has decimals, and no token has an owner.
    const identity = await contracts.identify(address, signal)
    if (!identity.hasDecimals) return 'ERC721'
    return (await contracts.ownerOf(address, unindexedTokenId(entry), signal)) === undefined ? 'none' : 'ERC721'
  }
  return undefined
}

function* chunksOf(transfers: Iterable<Transfer>): Generator<Transfer[]> {
  let chunk: Transfer[] = []
  for (const transfer of transfers) {
    chunk.push(transfer)
    if (chunk.length < chunkSize) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
