import type { EvmChain } from '../../chain/evm/chains.ts'
import type { ContractReader } from '../../chain/evm/contracts/contract.ts'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import { type Database, isUniqueViolation, type Transaction } from '../../db/database.ts'
import { MintmarkError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Metrics } from '../../metrics.ts'
import { backfill } from '../../sync/backfill.ts'
import { type BlockRange, gapsOf } from '../../sync/blockRange.ts'
import * as store from '../store/collectionStore.ts'
import { readHoldings, recordBounds } from '../store/leftOut.ts'
import { storeBounded } from '../store/storeBounded.ts'
import { mergeStaged, stageTransfers, storeTransfers } from '../store/storeTransfers.ts'
import { chunkSize, chunksOf } from '../transfers/chunksOf.ts'
import {
  decodeTransfers,
  type LeftOut,
  type LogSurvey,
  surveyLogs,
  transferTopics,
} from '../transfers/decodeTransfers.ts'
import { formByLogs } from '../transfers/transferForm.ts'
import { type CollectionKey, historyGroup, type TransferGroup } from '../transfers/transferGroup.ts'
import { warnLeftOut } from './warnLeftOut.ts'

type Stored = { transfers: number; leftOut: readonly LeftOut[] }

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

/**
 * What a read brought, ready to be stored; `rest` begins anew with each call, as a transaction may be tried again. `bounded`: it
 * may be more than there is room for.
 */
type Batch = LogSurvey & {
  logs: readonly RpcLog[]
  collection: CollectionKey | undefined
  bounded: boolean
  first: TransferGroup | undefined
  rest: () => Iterable<TransferGroup>
}

/** The rest of a batch that has none. It holds on to nothing, so the logs are free while the batch waits. */
const nothing = (): Iterable<TransferGroup> => []

/** Logs that one read should bring: enough to make its cost small, few enough to keep memory flat (1.5 kB each while read). */
const logsPerRead = 8_000

/** Width of the first reads, before anything is known of how busy the contract is. */
const firstRead = 1_000

/** Widest read where a contract is quiet. */
const widestRead = 2_000_000n

/** How a turn ended. */
export type HistoryOutcome = 'complete' | 'over' | 'none' | 'undecided'

/**
 * Reads what is missing of a collection's history up to the finalized block. `complete`: nothing is missing now; `over`: the
 * turn ended first; `none`: its logs say that it is no NFT contract; `undecided`: nothing that was read tells the contract's standard.
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
  const coverage = [...due.coverage]
  let form = due.form ?? undefined
  const holdings = await readHoldings(db, key)
  /** Transfers that there surely is room for. */
  let room = settings.maxTokens - Math.max(holdings.rows, holdings.rangeMoves)
  let inOrder = room < settings.maxTokens / 2
  /** A batch may be more than there is room for. */
  let crowded = false
  let width = BigInt(Math.min(settings.firstRange, firstRead))
  let leftUnexplained = false

  /** Logs in the order of the chain, until some tell. False: only later ones can. */
  async function decide(logs: readonly RpcLog[], signal: AbortSignal): Promise<boolean> {
    const found = await formByLogs(logs, due.address, contracts, signal)
    if (found === 'later') {
      leftUnexplained = true
      return false
    }
    if (found === 'none') ended.abort()
    else if (found) {
      await store.setForm(db, key, found)
      form = found
    }
    return true
  }

  /** `batch` undefined: logs that only later ones explain. */
  async function read(range: BlockRange, signal: AbortSignal): Promise<{ batch: Batch | undefined; to: bigint }> {
    const { logs, to } = await source.logs(
      { address: due.address, topics: [transferTopics(form?.standard)], ...range },
      signal,
    )
    metrics.logs.inc({ chain: chain.name, phase: 'history' }, logs.length)
    const explained = form !== undefined || (await decide(logs, signal))
    width = nextWidth(width, range, to, logs.length)
    return { batch: explained ? prepare(logs) : undefined, to }
  }

  /** The first chunk ahead of its transaction; further ones, of few hostile contracts, inside it to keep memory flat. */
  function prepare(logs: readonly RpcLog[]): Batch {
    const collection = form && { ...key, address: due.address, ...form }
    const survey = collection ? surveyLogs(logs, collection) : { transfers: 0, rangeMoves: 0, wide: [] }
    const bounded = survey.transfers > room
    if (bounded) crowded = true
    // How much of what may be too much is new is not known yet: what comes after it may be too much as well.
    room = bounded ? 0 : room - survey.transfers
    const whole = { ...survey, logs: bounded ? logs : [], collection, bounded }
    if (!collection || bounded || survey.transfers === 0) return { ...whole, first: undefined, rest: nothing }
    const decode = () => chunksOf(decodeTransfers(logs, collection))
    const [first] = decode().take(1)
    return {
      ...whole,
      first: first && historyGroup(collection, first),
      rest:
        first?.length === chunkSize
          ? () =>
              decode()
                .drop(1)
                .map((transfers) => historyGroup(collection, transfers))
          : nothing,
    }
  }

  async function commit(range: BlockRange, batch: Batch | undefined, turn: () => Promise<void>): Promise<void> {
    // What may be too much is read again, in the order of the chain; logs of an unknown standard, once the standard is known.
    if (ended.signal.aborted || !batch || (crowded && !inOrder)) return
    const worker = options.worker()
    if (worker === undefined) throw new TurnLostError('this process holds no leases')
    const lost = new TurnLostError('the collection is worked on elsewhere')
    const { first } = batch
    const work = async (tx: Transaction) => {
      if (first) await stageTransfers(tx, [first])
      await turn()
      if (!(await store.cover(tx, key, range, worker))) throw lost
      return batch.bounded && batch.collection ? storeWithin(tx, batch.collection, batch) : mergeBatch(tx, batch)
    }
    const { transfers, leftOut } = await db.transaction(work).catch(async (error: unknown) => {
      // The transfers are there already: another worker stored them, or a node gives two logs one position.
      const known = isUniqueViolation(error)
      throw known && !(await store.mayCover(db, key, range, worker)) ? lost : error
    })
    coverage.push(range)
    metrics.rows.inc({ chain: chain.name, table: 'transfer' }, transfers)
    const fields = { chain: chain.name, collection: due.address, from: String(range.from), to: String(range.to) }
    log.debug({ ...fields, transfers }, 'history')
    warnLeftOut(log, { chain: chain.name, collection: due.address }, leftOut)
  }

  async function mergeBatch(tx: Transaction, { first, rest, wide, rangeMoves }: Batch): Promise<Stored> {
    let transfers = 0
    if (first) {
      transfers += first.transfers.length
      let changes = await mergeStaged(tx, [first])
      for (const group of rest()) {
        changes = changes.concat(await storeTransfers(tx, [group]))
        transfers += group.transfers.length
      }
      const listed = changes.reduce((sum, change) => sum + change.listed, 0n)
      await store.raiseVersions(tx, [{ ...key, listed }])
    }
    await recordBounds(tx, chain.id, key, { leftOut: wide, rangeMoves })
    return { transfers, leftOut: wide }
  }

  async function storeWithin(tx: Transaction, collection: CollectionKey, batch: Batch): Promise<Stored> {
    const { maxTokens } = settings
    const { listed, transfers, rows, ...bounds } = await storeBounded(tx, collection, batch.logs, { maxTokens })
    const leftOut = [...batch.wide, ...bounds.leftOut]
    await store.raiseVersions(tx, [{ ...key, listed }])
    await recordBounds(tx, chain.id, key, { leftOut, rangeMoves: bounds.rangeMoves, rows })
    return { transfers, leftOut }
  }

  /** Reads what is missing, several ranges at once, until the turn is over or `stop` says so. */
  async function readMissing(inFlight: number, stop: () => boolean): Promise<void> {
    await backfill({
      gaps:
        whole.to >= whole.from
          ? gapsOf(
              whole,
              coverage.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
            )
          : [],
      inFlight,
      width: () => width,
      read,
      commit,
      isOver: () => turn.isOver() || ended.signal.aborted || stop(),
      signal: turn.signal,
    })
  }

  /** The contract's first logs may not be final yet: they suffice to tell its standard, and the chain's follower stores them. */
  async function decideByRecent(): Promise<void> {
    const topics = [transferTopics(undefined)]
    for (let from = finalized; from <= head.number && !form && !ended.signal.aborted && !turn.isOver(); ) {
      const { logs, to } = await source.logs({ address: due.address, topics, from, to: head.number }, turn.signal)
      await decide(logs, turn.signal)
      from = to + 1n
    }
  }

  // One range after the other until a log tells what the contract is: the earliest decides, however long each read takes.
  if (!form) await readMissing(1, () => form !== undefined)
  if (!form && !ended.signal.aborted) await decideByRecent()
  if (form && !inOrder) await readMissing(settings.rangesInFlight, () => crowded)
  // Near the bound the order decides what is held: the same as where every block is followed.
  inOrder ||= crowded
  if (form && inOrder) await readMissing(1, () => false)
  if (ended.signal.aborted) return 'none'
  // Logs of an unknown standard are read again each time, so the collection waits for the next request.
  if (turn.isOver() && (form || !leftUnexplained || turn.signal.aborted)) return 'over'
  return form ? 'complete' : 'undecided'
}

/** Twice as wide after a read that brought little, narrower after one that brought much. */
function nextWidth(width: bigint, asked: BlockRange, to: bigint, logs: number): bigint {
  const complete = to === asked.to
  const asWide = asked.to - asked.from + 1n >= width
  if (logs > 1.5 * logsPerRead) return width / 2n > 1n ? width / 2n : 1n
  if (complete && asWide && logs < 0.6 * logsPerRead) return width * 2n < widestRead ? width * 2n : widestRead
  return width
}
