import type { ChainCursor } from '../../sync/blockHandler.ts'
import { readChain } from '../../sync/chainStore.ts'
import { holdsLease } from '../../sync/leases/lease.ts'
import { shownReason } from '../../util/faults/shownReason.ts'
import { unlessAborted } from '../../util/wait.ts'
import { goLiveStream, noteHistoryFailure, readJoinable, readJoinableStreams } from '../definition/streamChain.ts'
import { holdChains, readChanges, recordChange } from '../definition/streamChange.ts'
import { takeConfirmed } from '../ledger/confirmations.ts'
import { UnmatchableError } from '../match/unmatchableError.ts'
import { createStreamJoin, type StreamJoin, type StreamJoinOptions } from './createStreamJoin.ts'
import { enqueueBlocks, enqueueReceiving } from './enqueueBlocks.ts'
import { pauseUnmatchable } from './pauseUnmatchable.ts'

export type StreamJoinsOptions = StreamJoinOptions & {
  /** A stream has reached the cursor, or its join failed: `join` must run between two blocks. */
  onRead: () => void
}

/**
 * Streams whose history ended above the finalized block join the chain. The blocks up to the cursor are read and
 * matched beside following, however slow a node is. Only the transaction that makes a stream live runs between two
 * blocks. The follower then gets the stream as a change.
 */
export type StreamJoins = {
  /** Called between two blocks: starts due joins, and makes streams at the cursor live. True if there were any. */
  join(cursor: ChainCursor, signal: AbortSignal): Promise<boolean>
  close(): Promise<void>
}

/** Most parallel joins: each has its addresses in memory, and up to eight running requests. */
const joinsAtOnce = 4

/** Most characters of webhooks of all joins; a single stream may have more. */
const mostKept = 64 * 2 ** 20

/** Pause after a failed join. */
const failedMs = 5_000

/**
 * The follower waits for a stream that had reached the cursor and fell behind. Otherwise the stream would never join a
 * chain whose blocks arrive faster than it matches them. It waits for streams fewer than `blocks` behind, at most
 * `waitMs`, and after a vain wait not again within `vainMs`.
 */
const overtaken = { blocks: 16n, waitMs: 1_000, vainMs: 30_000 }

type Entry = {
  join: StreamJoin
  stop: AbortController
  work?: Promise<void> | undefined
  error?: unknown
  /** It was at the cursor once. */
  reached: boolean
  /** It seemed to be at the cursor, but the transaction found that it was not. */
  stale: boolean
  /** When the follower may wait for it again, on the clock of performance.now(). */
  waitFrom: number
}

export function createStreamJoins(options: StreamJoinsOptions): StreamJoins {
  const { chain, db, log, onRead } = options
  const entries = new Map<string, Entry>()
  /** When failed streams may retry to join, on the clock of performance.now(). */
  const pausedUntil = new Map<string, number>()
  /** All running reads, also those whose result is not needed any more. */
  const working = new Set<Promise<void>>()

  function drop(entry: Entry): void {
    entry.stop.abort()
    entries.delete(entry.join.place.streamId)
  }

  /** Whether a join may continue reading. The first one always may. */
  function hasCapacity(entry: Entry): boolean {
    const all = [...entries.values()]
    return entry === all[0] || all.reduce((sum, { join }) => sum + join.size(), 0) < mostKept
  }

  /** Reads for a join until it is at the cursor. Never throws: the next call of `join` handles `error`. */
  async function read(entry: Entry, signal: AbortSignal): Promise<void> {
    try {
      while (hasCapacity(entry)) {
        const outcome = await entry.join.extend(signal)
        if (outcome === 'more') continue
        if (outcome === 'void') drop(entry)
        if (outcome === 'reached') {
          entry.reached = true
          onRead()
        }
        return
      }
    } catch (error) {
      entry.error = error
      if (!signal.aborted) onRead()
    }
  }

  function start(entry: Entry, signal: AbortSignal): void {
    entry.stale = false
    const work = read(entry, AbortSignal.any([signal, entry.stop.signal])).finally(() => {
      working.delete(work)
      entry.work = undefined
    })
    entry.work = work
    working.add(work)
  }

  /** Ends a failed join with its reason. Other streams and the follower continue. */
  async function fail(entry: Entry, error: unknown): Promise<void> {
    const { place } = entry.join
    drop(entry)
    pausedUntil.set(place.streamId, performance.now() + failedMs)
    log.warn({ chain: chain.name, stream: place.streamId, err: error }, 'stream catch-up failed')
    await noteHistoryFailure(db, chain.id, place, shownReason(error))
  }

  async function begin(finalized: bigint): Promise<void> {
    const now = performance.now()
    for (const [streamId, until] of pausedUntil) if (until <= now) pausedUntil.delete(streamId)
    if (entries.size >= joinsAtOnce) return
    const limit = joinsAtOnce + entries.size + pausedUntil.size
    for (const place of await readJoinableStreams(db, chain.id, finalized, limit)) {
      const { streamId } = place
      if (entries.size >= joinsAtOnce) return
      if (entries.has(streamId) || pausedUntil.has(streamId)) continue
      const join = createStreamJoin(options, place)
      entries.set(streamId, { join, stop: new AbortController(), reached: false, stale: false, waitFrom: 0 })
    }
  }

  async function waitForOvertaken(cursor: ChainCursor, signal: AbortSignal): Promise<void> {
    const now = performance.now()
    const close = [...entries.values()].filter(
      ({ join, work, reached, waitFrom }) =>
        work && reached && now >= waitFrom && cursor.number - join.next() < overtaken.blocks,
    )
    if (close.length === 0) return
    const work = Promise.all(close.map((entry) => entry.work))
    try {
      await unlessAborted(work, AbortSignal.any([signal, AbortSignal.timeout(overtaken.waitMs)]))
    } catch {
      signal.throwIfAborted()
      for (const entry of close) if (entry.work) entry.waitFrom = performance.now() + overtaken.vainMs
    }
  }

  /**
   * Makes a stream live. `wait`: it is not at this cursor, or has changed since it was matched; `void`: it cannot join
   * from here.
   */
  async function commit({ join }: Entry, cursor: ChainCursor): Promise<'live' | 'wait' | 'void'> {
    const { place } = join
    return db.transaction(async (tx) => {
      const row = await readChain(tx, chain.id, true)
      if (row?.block?.hash !== cursor.hash) return 'wait'
      if (!(await holdsLease(tx, 'chain', chain.id, cursor.worker))) return 'wait'
      const held = await readJoinable(tx, chain.id, place, true)
      const webhooks = held && join.webhooksAfter(held)
      if (!webhooks) return 'void'
      const since = await readChanges(tx, chain.id, { after: join.lastSeq(), streamId: place.streamId })
      if (since.some(({ effective }) => effective <= cursor.number)) return 'wait'
      const confirmedTo = cursor.number - BigInt(chain.confirmations)
      // Webhooks of history that are now confirmed are enqueued here, as the next block may be late.
      await enqueueReceiving(tx, await takeConfirmed(tx, chain.id, confirmedTo))
      await enqueueBlocks(tx, webhooks, { confirmedTo, headFrom: held.headFrom })
      await goLiveStream(tx, chain.id, place)
      const { partition, streamId } = place
      const chains = await holdChains(tx, [chain.id], new Map())
      await recordChange(tx, chains, { partition, streamId, chainIds: [chain.id] })
      return 'live'
    })
  }

  async function joinOne(entry: Entry, cursor: ChainCursor, signal: AbortSignal): Promise<boolean> {
    try {
      const outcome = await commit(entry, cursor)
      if (outcome === 'wait') entry.stale = true
      else drop(entry)
      if (outcome === 'live')
        log.info(
          { chain: chain.name, stream: entry.join.place.streamId, block: String(cursor.number) },
          'stream is live',
        )
      return outcome === 'live'
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof UnmatchableError)) await fail(entry, error)
      else {
        drop(entry)
        await pauseUnmatchable(options, error)
      }
      return false
    }
  }

  return {
    async join(cursor, signal) {
      for (const entry of [...entries.values()]) if (entry.error !== undefined) await fail(entry, entry.error)
      await begin(cursor.finalized)
      for (const entry of entries.values())
        if (!entry.work && (entry.stale || !entry.join.isAt(cursor))) start(entry, signal)
      await waitForOvertaken(cursor, signal)
      let joined = false
      for (const entry of [...entries.values()])
        if (!entry.work && entry.error === undefined && entry.join.isAt(cursor))
          joined = (await joinOne(entry, cursor, signal)) || joined
      return joined
    },
    async close() {
      for (const entry of [...entries.values()]) drop(entry)
      await Promise.all(working)
    },
  }
}
