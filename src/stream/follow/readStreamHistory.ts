import type { Database } from '../../db/database.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import type { OpenChain, OpenChains } from '../../sync/openChains.ts'
import { type Begin, createSlice, schedule, type UnderWay } from '../../sync/schedule.ts'
import { shownReason } from '../../util/faults/shownReason.ts'
import type { Log } from '../../util/log.ts'
import type { Waker } from '../../util/wait.ts'
import type { WorkPriority } from '../../util/workPriority.ts'
import { noteAdditionFailure, readPendingAdditions } from '../definition/streamAddition.ts'
import { noteHistoryFailure, type PendingHistory, readPendingHistory } from '../definition/streamChain.ts'
import { createTokenReaders, type SpamFilter, type TokenReader } from '../payload/tokenReader.ts'
import { additionSlice } from './additionSlice.ts'
import { HistoryLostError } from './historyError.ts'
import { historySlice } from './historySlice.ts'

export type ReadStreamHistoryOptions = {
  chains: OpenChains
  leases: Leases
  db: Database
  /** Omitted: nothing counts as spam. */
  spamFilter?: SpamFilter
  workPriority: Pick<WorkPriority, 'schedule'>
  settings: {
    /** Most streams whose history is read in parallel. */
    concurrentStreams: number
    /** History waits while this many webhooks are queued for the stream. */
    maxAhead: number
    /** Larger webhooks are split, in bytes. */
    maxBytes: number
    sliceMs: number
  }
  log: Log
  waker: Waker
  /** A stream's history is matched up to the last final block: it can join its chain. */
  onComplete: () => void
  signal: AbortSignal
}

/** Two kinds of history: of a stream, and of addresses added after its own history had begun. */
const kinds = [
  { name: 'stream', readPending: readPendingHistory, run: historySlice, noteFailure: noteHistoryFailure },
  { name: 'addition', readPending: readPendingAdditions, run: additionSlice, noteFailure: noteAdditionFailure },
] as const
type Kind = (typeof kinds)[number]

/**
 * Pause before a retry, after a failure or with a full queue. A history that keeps failing waits longer, by its row.
 */
const pauseMs = { failed: 1_000, full: 1_000 }

/**
 * Reads the histories of streams that this process must read, several in parallel, one time slice each. Ends with the
 * signal.
 */
export async function readStreamHistory(options: ReadStreamHistoryOptions): Promise<void> {
  const { leases, db, settings, waker, signal, log } = options
  /** When waiting histories may continue, on the clock of performance.now(). */
  const pausedUntil = new Map<string, number>()
  const readerOf = createTokenReaders(options.spamFilter)

  async function look(underWay: UnderWay<string, undefined>, begin: Begin<string, undefined>): Promise<'idle'> {
    const now = performance.now()
    for (const [name, until] of pausedUntil) if (until <= now) pausedUntil.delete(name)
    const served = leases.served()
    for (const kind of kinds)
      for (const history of await kind.readPending(db, served)) {
        const name = `${kind.name}:${history.streamId}:${history.chainId}`
        if (underWay.size >= settings.concurrentStreams) break
        if (underWay.has(name) || pausedUntil.has(name)) continue
        begin(name, undefined, async () => {
          const pause = await runSlice(options, kind, history, readerOf)
          if (pause > 0) pausedUntil.set(name, performance.now() + pause)
        })
      }
    return 'idle'
  }

  await schedule({ name: 'stream history', look, idleMs: 1_000, waker, signal, log })
}

/**
 * Reads a history for one time slice. Never throws: the stream's row stores the failure. Returns the pause before the
 * next slice.
 */
async function runSlice(
  options: ReadStreamHistoryOptions,
  kind: Kind,
  history: PendingHistory,
  readerOf: (open: OpenChain) => TokenReader,
): Promise<number> {
  const { chains, leases, db, workPriority, settings, log, signal } = options
  const fields = { chain: history.chainId, stream: history.streamId }
  try {
    const open = await chains.open(history.chainId, signal)
    const worker = () => leases.serving(history)
    const { maxAhead, maxBytes } = settings
    const outcome = await kind.run(
      { db, workPriority, tokens: readerOf(open), worker, maxAhead, maxBytes, log },
      open,
      history,
      {
        isOver: createSlice(settings.sliceMs, signal),
        signal,
      },
    )
    if (outcome === 'done') options.onComplete()
    return outcome === 'full' ? pauseMs.full : 0
  } catch (error) {
    if (signal.aborted || error instanceof HistoryLostError) return 0
    log.warn({ ...fields, kind: kind.name, err: error }, 'stream history failed')
    const reason = shownReason(error)
    await kind
      .noteFailure(db, history.chainId, history, reason)
      .catch((err: unknown) => log.error({ ...fields, err }, 'failure not recorded'))
    return pauseMs.failed
  }
}
