import type { Header } from '../../chain/evm/rpc/rpc.ts'
import { firstWidth } from '../../chain/evm/source/logWidth.ts'
import type { Head } from '../../chain/evm/source/source.ts'
import type { Database } from '../../db/database.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { readChain } from '../../sync/chainStore.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import type { OpenChain, OpenChains } from '../../sync/openChains.ts'
import { createSlice } from '../../sync/schedule.ts'
import { createLru } from '../../util/createLru.ts'
import { larger } from '../../util/extremes.ts'
import type { Log } from '../../util/log.ts'
import type { Waker } from '../../util/wait.ts'
import type { WorkPriority } from '../../util/workPriority.ts'
import * as store from '../store/collectionStore.ts'
import { createDueChains } from '../store/dueChains.ts'
import { collectionHistory, postponeSlice } from '../store/historyQueue.ts'
import { deleteCollection } from '../store/requeueCollections.ts'
import { formByIdentity } from '../transfers/transferForm.ts'
import type { DecodeThreads } from './createDecodeThreads.ts'
import { type EarlyRead, readEarly } from './earlyRead.ts'
import { type HistoryOptions, SliceLostError } from './history.ts'
import { readHistory } from './readHistory.ts'
import { recordFailure, runSlices } from './runSlices.ts'

export type IndexCollectionsOptions = {
  chains: OpenChains
  leases: Leases
  db: Database
  settings: {
    concurrentCollections: number
    rangesInFlight: number
    sliceMs: number
    maxTokens: number
    /** Metadata is not read again within this time, whatever its contract announces. */
    coolOffMs: number
  }
  workPriority: WorkPriority
  metrics: Metrics
  log: Log
  decoding: Omit<DecodeThreads, 'close'>
  waker: Waker
  /** A collection's history is complete: the chain's follower can take it over. */
  onComplete: (chainId: bigint) => void
  signal: AbortSignal
}

/** Collections whose last read width is cached. */
const mostWidths = 10_000

/** How long an address without code is remembered after its last check. */
const rememberCodelessSeconds = 600

/**
 * Reads the history of collections that this process serves, several in parallel, one time slice each. The collection
 * that waited longest is next, so a huge one never blocks a small one. Ends with the signal.
 */
export async function indexCollections(options: IndexCollectionsOptions): Promise<void> {
  const { leases, db, settings, metrics, waker, signal, log } = options
  const widths = createLru<bigint, bigint>(mostWidths)

  async function runMaintenance(): Promise<void> {
    await store.forgetCodeless(db, rememberCodelessSeconds)
    metrics.collections.reset()
    for (const [status, count] of Object.entries(await store.countByStatus(db)))
      metrics.collections.set({ status }, count)
  }

  await runSlices({
    ...{
      name: 'index collections',
      leases,
      dueChains: createDueChains(db),
      most: settings.concurrentCollections,
      runMaintenance,
    },
    async take(of) {
      const subjects = await store.takeSlices(db, of)
      return subjects.map((one) => ({ ids: [one.id], run: () => runSlice(options, widths, one) }))
    },
    ...{ waker, log, signal },
  })
}

/** One time slice of one collection. Never throws: an error is stored in the collection's row, and it returns false. */
async function runSlice(
  options: IndexCollectionsOptions,
  widths: HistoryOptions['widths'],
  subject: store.DueCollection,
): Promise<boolean> {
  const { chains, db, log, signal } = options
  const fields = { chain: subject.chainId, collection: subject.address }
  try {
    const open = await chains.open(subject.chainId, signal)
    const started = await begin(options, open, subject)
    if (started) await readOn(options, { ...open, widths }, subject, started)
    return true
  } catch (error) {
    if (signal.aborted || error instanceof SliceLostError) return true
    await recordFailure({ db, log }, collectionHistory, subject, { error, fields, event: 'collection indexing failed' })
    return false
  }
}

/**
 * `fromBlock`: first block of history. `identified`: the head, if the contract was queried now, and the head before that. `early`: its first logs.
 */
type Started = { fromBlock: bigint; identified?: { head: Head; before: Header }; early?: EarlyRead | undefined }

/** A closer search for the first block saves no request of the first logs, or less than it costs. */
const within = (above: bigint) => larger(BigInt(firstWidth), above / 64n)

/** Queries the contract if its history begins now. undefined: there is no history. */
async function begin(
  options: IndexCollectionsOptions,
  open: OpenChain,
  subject: store.DueCollection,
): Promise<Started | undefined> {
  const { db, signal, log, decoding } = options
  const { source, contracts, chain } = open
  if (subject.fromBlock !== null && subject.status === 'syncing') return { fromBlock: subject.fromBlock }
  const row = await readChain(db, chain.id)
  const headBefore = source.head(signal)
  // Searches the first block in parallel, up to the stored final block while the head is not known.
  const search = new AbortController()
  const found = Promise.withResolvers<bigint>()
  const newer = headBefore.then(({ head }) => head.number)
  newer.catch(() => undefined)
  const requested = { newer, within, onFound: found.resolve, signal: AbortSignal.any([signal, search.signal]) }
  const deployment =
    subject.fromBlock === null
      ? contracts.deploymentBlock(subject.address, row?.finalized ?? (await newer), requested)
      : undefined
  deployment?.catch(() => undefined)
  const { head: before, finalized: readable } = await headBefore
  const identity = await contracts.identify(subject.address, { signal }).catch((error: unknown) => {
    search.abort()
    throw error
  })
  if (!identity.hasCode) search.abort()
  const own = formByIdentity(identity)
  const form = subject.form ?? own
  // Read beside the search for earlier logs and the head.
  let early: EarlyRead | undefined
  void found.promise.then((from) => {
    const reading = { source, decoding, log, signal: requested.signal }
    early = readEarly(reading, { ...subject, form: form ?? null }, { from, to: readable })
  })
  const headAfter = await source.head(signal)
  const { head, finalized } = headAfter
  if (
    !identity.hasCode &&
    subject.fromBlock === null &&
    !(await contracts.wasContract(subject.address, head.number, signal))
  ) {
    await store.endWithout(db, subject, 'nocode')
    return undefined
  }
  const deployed = subject.fromBlock ?? (identity.hasCode ? await deployment : undefined) ?? 0n
  const fromBlock = deployed < finalized ? deployed : finalized
  await store.beginSyncing(db, subject, {
    ...{ ...identity, form, fromBlock },
    ...{ bySelf: own !== undefined, identifiedBlock: head.number },
  })
  const { address: collection } = subject
  log.info(
    { chain: chain.name, collection, standard: form?.standard, fromBlock: String(fromBlock) },
    'collection indexing started',
  )
  Object.assign(subject, { form: form ?? null, coins: false })
  return {
    fromBlock: subject.fromBlock ?? fromBlock,
    identified: { head: headAfter, before },
    early,
  }
}

async function readOn(
  options: IndexCollectionsOptions,
  open: OpenChain & Pick<HistoryOptions, 'widths'>,
  subject: store.DueCollection,
  { fromBlock, identified, early }: Started,
): Promise<void> {
  const { db, leases, settings, workPriority, metrics, log, decoding, signal } = options
  const worker = () => leases.serving(subject)
  const history = { ...open, db, worker, settings, workPriority, metrics, log, decoding }
  const [read, before] = await Promise.allSettled([
    readHistory(
      history,
      { ...subject, fromBlock },
      {
        ...(identified && { head: identified.head }),
        early,
        isOver: createSlice(settings.sliceMs, signal),
        signal,
      },
    ),
    identified && open.source.headerByHash(identified.before.hash, signal),
  ])
  if (before.status === 'rejected') throw before.reason
  // The follower may have undone the queried blocks before the row was written.
  if (identified && !before.value) {
    await deleteCollection(db, { chainId: subject.chainId, address: subject.address, requeue: true, held: false })
    return
  }
  if (read.status === 'rejected') throw read.reason
  const outcome = read.value
  if (outcome === 'undecided') await store.endWithout(db, subject, 'none', 'it is not known yet whether it has tokens')
  if (outcome !== 'complete') return
  await postponeSlice(db, collectionHistory, subject, 1)
  options.onComplete(subject.chainId)
}
