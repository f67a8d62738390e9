import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { Head } from '../../chain/evm/source/source.ts'
import { setEverywhere } from '../../db/cluster/citus.ts'
import type { Transaction } from '../../db/database.ts'
import { isLockTimeout, isUniqueViolation } from '../../db/databaseError.ts'
import { backfill } from '../../sync/backfill.ts'
import { type BlockRange, gapsOf } from '../../sync/blockRange.ts'
import { readChain } from '../../sync/chainStore.ts'
import { chunksOf } from '../../util/chunksOf.ts'
import { smaller } from '../../util/extremes.ts'
import type { Hex } from '../../util/hex.ts'
import { markPastChanges } from '../metadata/store/markChanged.ts'
import * as store from '../store/collectionStore.ts'
import { collectionHistory, coverOf, mayCoverOf } from '../store/historyQueue.ts'
import { deleteCollection } from '../store/requeueCollections.ts'
import { readHoldings, readMostHoldings, storeOmissions, warnSkipped } from '../store/skippedTransfers.ts'
import { storeBounded } from '../store/storeBounded.ts'
import { mergeStaged, stageTransfers, storeTransfers } from '../store/storeTransfers.ts'
import {
  decodeTransfers,
  type LogSurvey,
  nothingFound,
  type SkippedTransfers,
  surveyLogs,
  topicsOf,
} from '../transfers/decodeTransfers.ts'
import type { Transfer } from '../transfers/transfer.ts'
import { formByLogs } from '../transfers/transferForm.ts'
import { type CollectionKey, chunkSize, historyGroup, type TransferGroup } from '../transfers/transferGroup.ts'
import { createDecodedReader } from './createDecodedReader.ts'
import type { EarlyRead } from './earlyRead.ts'
import { type HistoryOptions, type HistoryOutcome, SliceLostError } from './history.ts'
import { nextWidth, wantedLogs, widestRead } from './nextWidth.ts'
import type { PreparedLogs } from './prepareLogs.ts'
import { readAnnouncements } from './readAnnouncements.ts'
import { readLatestIds } from './readLatestIds.ts'

type Stored = { transfers: number; skipped: readonly SkippedTransfers[] }
type OnStored = (group: TransferGroup) => Promise<void>

/**
 * Lock timeout for copying rows, which waits if another transaction stores the same ones, as the joining follower does. That one may itself wait for
 * rows of the next range, which waits here for its turn. No database detects such a deadlock.
 */
const waitsBriefly = `SET LOCAL lock_timeout = '2s'`
const waits = 'SET LOCAL lock_timeout = DEFAULT'

/**
 * Result of one read, ready to be stored: the first chunk of transfers, and `laterGroups`, an iterator that restarts with each call, as a transaction may be
 * retried. `bounded`: these may exceed the collection's token limit.
 */
type Batch = LogSurvey & {
  logs: readonly RpcLog[]
  /** Events that announce changed metadata, of a collection that was live before. */
  announced: readonly RpcLog[]
  collection: CollectionKey | undefined
  bounded: boolean
  first: TransferGroup | undefined
  laterGroups: () => Iterable<TransferGroup>
}

/** An empty rest. It refers to no logs, so their memory is free while the batch waits. */
const nothing = (): Iterable<TransferGroup> => []

/**
 * Reads the missing history of a collection up to the finalized block. `complete`: nothing is missing now. `over`: the slice ended first.
 * `undecided`: logs may be of tokens, but the standard is unknown. A coin is also complete: it may have tokens later (ERC-404), and only its logs
 * with four topics are read. `slice.head`: a head that was just read; omitted: it is requested. `slice.early`: the first logs.
 */
export async function readHistory(
  options: HistoryOptions,
  subject: store.DueCollection & { fromBlock: bigint },
  slice: { head?: Head; early?: EarlyRead | undefined; isOver: () => boolean; signal: AbortSignal },
): Promise<HistoryOutcome> {
  const { chain, source, contracts, db, settings, widths, workPriority, metrics, log } = options
  const key = { partition: subject.partition, id: subject.id }
  // While the chain is followed, history ends at the cursor, so that both are of one fork, and the collection can join.
  const [{ head, finalized: finalAtNodes }, row] = await Promise.all([
    slice.head ?? source.head(slice.signal),
    readChain(db, chain.id),
  ])
  const finalized = row?.block ? smaller(finalAtNodes, row.finalized) : finalAtNodes
  const whole = { from: subject.fromBlock, to: finalized }
  const coverage = [...subject.coverage]
  let form = subject.form ?? undefined
  /** Lower bound of the remaining transfers within the collection's token limit. */
  let capacity = await readTokenCapacity(readMostHoldings)
  if (capacity < settings.maxTokens / 2) capacity = await readTokenCapacity(readHoldings)
  let inOrder = capacity < settings.maxTokens / 2
  /** True from the first batch that may exceed the token limit. */
  let crowded = false
  const knownWidth = widths.get(subject.id)
  /** The source decides the size of the first read. */
  let width = knownWidth ?? widestRead
  let isMeasured = knownWidth !== undefined
  let hasUnexplained = false
  let { coins } = subject
  /** Token ids of the contract's latest logs, if its first ones do not show its standard, as last read in this slice. */
  let latest: ReturnType<typeof readLatestIds> | undefined

  async function readTokenCapacity(read: typeof readHoldings): Promise<number> {
    const { rows, rangeMoves } = await read(db, key)
    return settings.maxTokens - Math.max(rows, rangeMoves)
  }

  /** Determines the contract's standard from logs in chain order. False: only later logs can show it. */
  async function decide(logs: readonly RpcLog[], signal: AbortSignal, isFinal = true): Promise<boolean> {
    const latestIds = () => {
      latest ??= readLatestIds(source, { address: subject.address, from: subject.fromBlock }, signal)
      return latest
    }
    const isFollowed = async (hash: Hex) => (await source.headerByHash(hash, signal)) !== undefined
    const found = await formByLogs(logs, subject.address, { contracts, latestIds, isFollowed, coins }, signal)
    if (found === 'moved') throw new SliceLostError('the block at which the contract was queried was undone')
    if (found === 'later') {
      hasUnexplained = true
      return false
    }
    if (found === 'coins') {
      await store.setCoins(db, key)
      coins = true
    } else if (found) {
      await store.setForm(db, key, found.form, isFinal ? null : BigInt(found.log.blockNumber))
      // The follower may have undone the block before the standard was stored.
      if (!isFinal && !(await source.headerByHash(found.log.blockHash, signal))) {
        await deleteCollection(db, { chainId: chain.id, address: subject.address, requeue: true, held: false })
        throw new SliceLostError('the block that showed the standard was undone')
      }
      form = found.form
    }
    return true
  }

  const collectionNow = () => form && { ...key, chainId: chain.id, address: subject.address, ...form }
  const reader = createDecodedReader({ source, decoding: options.decoding, log })
  /** `batch` undefined: the standard is unknown, and only later logs can show it. */
  async function read(range: BlockRange, signal: AbortSignal): Promise<{ batch: Batch | undefined; to: bigint }> {
    const collection = crowded ? undefined : collectionNow()
    const decoder = collection ? options.decoding?.decoderOf(collection) : undefined
    const topics = topicsOf(form ? form.standard === 'ERC1155' : coins)
    const requested = { address: subject.address, topics, ...range }
    // The raw logs show which of these transfers are omitted.
    const isNeeded = ({ survey }: PreparedLogs) => inOrder && survey.transfers > capacity
    const { logs, to, decoded } =
      (await slice.early?.take(range, isNeeded)) ?? (await reader.read(requested, decoder, signal, { isNeeded }))
    const brought = decoded?.count ?? logs.length
    metrics.logs.inc({ chain: chain.name, phase: 'history' }, brought)
    const explained = form !== undefined || (await decide(logs, signal))
    width = nextWidth(width, range, to, { brought, wanted: wantedLogs(workPriority) })
    widths.set(subject.id, width)
    if (!isMeasured) options.decoding?.warmUp((brought * Number(width)) / Number(to - range.from + 1n))
    isMeasured = true
    const known = crowded ? undefined : collectionNow()
    const prepared = decoded?.of ?? (known && (await reader.prepare(logs, known, signal)))
    const { address, wasLive } = subject
    const announced = wasLive ? await readAnnouncements(source, { address, from: range.from, to }, signal) : []
    return { batch: explained ? { ...prepare(logs, prepared), announced } : undefined, to }
  }

  /** Decodes the first chunk before its transaction. Further ones, which few hostile contracts have, are decoded in it, to limit memory. */
  function prepare(logs: readonly RpcLog[], decoded?: PreparedLogs): Omit<Batch, 'announced'> {
    const collection = collectionNow()
    const survey = decoded?.survey ?? (collection ? surveyLogs(logs, collection) : nothingFound)
    const bounded = survey.transfers > capacity
    if (bounded) crowded = true
    // The number of new tokens in these transfers is unknown, so later batches may exceed the limit as well.
    capacity = bounded ? 0 : capacity - survey.transfers
    const batch = { ...survey, logs: bounded ? logs : [], collection, bounded }
    if (!collection || bounded || survey.transfers === 0) return { ...batch, first: undefined, laterGroups: nothing }
    if (decoded) return { ...batch, first: decoded.group, laterGroups: nothing }
    const chunks = () => chunksOf(decodeTransfers(logs, collection), chunkSize)
    const groupOf = (transfers: Transfer[]) => historyGroup(collection, transfers)
    const [first] = chunks().take(1).map(groupOf)
    return {
      ...batch,
      first,
      laterGroups: survey.transfers > chunkSize ? () => chunks().drop(1).map(groupOf) : nothing,
    }
  }

  async function commit(range: BlockRange, batch: Batch | undefined, previous: () => Promise<void>): Promise<void> {
    // The range stays uncovered. Logs beyond the limit are read again in chain order, and logs of an unknown standard once it is known.
    if (!batch || (crowded && !inOrder)) return
    const worker = options.worker()
    if (worker === undefined) throw new SliceLostError('this process holds no leases')
    const lost = new SliceLostError('the collection is worked on elsewhere')
    const { first } = batch
    const work = async (tx: Transaction) => {
      if (first) {
        await setEverywhere(db, tx, waitsBriefly)
        await stageTransfers(tx, [first])
        await setEverywhere(db, tx, waits)
      }
      await previous()
      if (!(await coverOf(tx, collectionHistory, key, range, worker))) throw lost
      const burned = new Set<string>()
      const onStored = async ({ moved }: TransferGroup) => {
        for (const id of moved.burned721) burned.add(id)
      }
      const { collection } = batch
      const stored = await (batch.bounded && collection
        ? storeWithin(tx, collection, batch, onStored)
        : mergeBatch(tx, batch, onStored))
      if (subject.wasLive) {
        const changed = { logs: batch.announced, burned }
        await markPastChanges(tx, { ...key, address: subject.address }, changed, settings.coolOffMs)
      }
      return stored
    }
    const { transfers, skipped } = await db.transaction(work).catch(async (error: unknown) => {
      if (isLockTimeout(error)) throw lost
      // The transfers already exist: another worker stored them, or a node returns two logs with one position.
      const known = isUniqueViolation(error)
      throw known && !(await mayCoverOf(db, collectionHistory, key, range, worker)) ? lost : error
    })
    coverage.push(range)
    metrics.rows.inc({ chain: chain.name, table: 'transfer' }, transfers)
    const fields = { chain: chain.name, collection: subject.address, from: String(range.from), to: String(range.to) }
    log.debug({ ...fields, transfers }, 'range of history stored')
    warnSkipped(log, { chain: chain.name, collection: subject.address }, skipped)
  }

  async function mergeBatch(tx: Transaction, batch: Batch, onStored: OnStored): Promise<Stored> {
    const { first, laterGroups, oversized: skipped, rangeMoves, unindexed } = batch
    let transfers = 0n
    if (first) {
      let changes = await mergeStaged(tx, [first])
      await onStored(first)
      for (const group of laterGroups()) {
        changes = changes.concat(await storeTransfers(tx, [group]))
        await onStored(group)
      }
      const listed = changes.reduce((sum, change) => sum + change.listed, 0n)
      transfers = changes.reduce((sum, change) => sum + change.transfers, 0n)
      await store.raiseVersions(tx, [{ ...key, listed, transfers }])
    }
    await storeOmissions(tx, chain.id, key, { skipped, rangeMoves, unindexed })
    return { transfers: Number(transfers), skipped }
  }

  async function storeWithin(
    tx: Transaction,
    collection: CollectionKey,
    batch: Batch,
    onStored: OnStored,
  ): Promise<Stored> {
    const { maxTokens } = settings
    const { listed, transfers, rows, ...bounds } = await storeBounded(tx, collection, batch.logs, {
      maxTokens,
      onStored,
    })
    const skipped = [...batch.oversized, ...bounds.skipped]
    await store.raiseVersions(tx, [{ ...key, listed, transfers }])
    const { rangeMoves } = bounds
    await storeOmissions(tx, chain.id, key, { skipped, rangeMoves, rows, unindexed: batch.unindexed })
    return { transfers: Number(transfers), skipped }
  }

  /** Reads missing ranges, `inFlight` in parallel, until the slice ends or `stop` returns true. */
  async function readMissing(inFlight: number, stop: () => boolean): Promise<void> {
    await backfill({
      gaps: gapsOf(
        whole,
        coverage.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
      ),
      inFlight,
      width: () => width,
      measures: !isMeasured,
      read,
      commit,
      schedule: (work, signal) => workPriority.schedule('history', signal, work, subject.id),
      isOver: () => slice.isOver() || stop(),
      signal: slice.signal,
    })
  }

  /** The contract's first logs may not be final yet: they suffice to determine its standard, and the chain's follower stores them. */
  async function decideByRecent(): Promise<void> {
    for (let from = finalized; from <= head.number && !form && !slice.isOver(); ) {
      const { logs, to } = await source.logs(
        { address: subject.address, topics: topicsOf(coins), from, to: head.number },
        slice.signal,
      )
      await decide(logs, slice.signal, false)
      from = to + 1n
    }
  }

  // One range after the other until a log shows the standard: the earliest such log decides, whatever the order of answers.
  if (!form) await readMissing(1, () => form !== undefined)
  if (!form) await decideByRecent()
  if (form && !inOrder) await readMissing(settings.rangesInFlight, () => crowded)
  // Near the limit, the order decides which tokens are omitted: it must be the chain's order, as for followed blocks.
  inOrder ||= crowded
  if (form && inOrder) await readMissing(1, () => false)
  // Logs of an unknown standard are read again each time, so the collection waits for the next request.
  if (slice.isOver() && (form || !hasUnexplained || slice.signal.aborted)) return 'over'
  // A contract without token transfers is followed too: its next log may have one.
  return form || !hasUnexplained ? 'complete' : 'undecided'
}
