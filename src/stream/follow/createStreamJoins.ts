import type { ChainCursor } from '../../sync/blockHandler.ts'
import { readChain } from '../../sync/chainStore.ts'
import { holdsLease } from '../../sync/leases/lease.ts'
import { shownReason } from '../../util/faults/shownReason.ts'
import { unlessAborted } from '../../util/wait.ts'
import { goLive, noteHistoryFailure, readJoinable, readJoinableStreams } from '../definition/streamChain.ts'
import { holdChains, readChanges, recordChange } from '../definition/streamChange.ts'
import { takeConfirmed } from '../ledger/confirmations.ts'
import { UnmatchableError } from '../match/unmatchableError.ts'
import { createStreamJoin, type StreamJoin, type StreamJoinOptions } from './createStreamJoin.ts'
import { enqueueBlocks, enqueueReceiving } from './enqueueBlocks.ts'
import { pauseUnmatchable } from './pauseUnmatchable.ts'

export type StreamJoinsOptions = StreamJoinOptions & {
  /** A stream is at the cursor, or failed: there is something to do between two blocks. */
  onRead: () => void
}

/**
 * Streams whose history ends above the finalized block, on their way to the head. What lies between that and the cursor is read
 * and matched beside following, however long a node takes for it; only the transaction that makes a stream live takes its turn
 * between two blocks. The follower then meets the stream as a change.
 */
export type StreamJoins = {
  /** Between two blocks: begins with those that are due, and makes those live that are at the cursor. True if any is. */
  join(cursor: ChainCursor, signal: AbortSignal): Promise<boolean>
  close(): Promise<void>
}

/** Streams read at once: each keeps its addresses, and up to eight requests under way. */
const joinsAtOnce = 4

/** Characters of webhooks that are kept at most; one stream may have more. */
const mostKept = 64 * 2 ** 20

/** Pause of a stream that could not join. */
const failedMs = 5_000

/**
 * Where the chain moved on before a stream that was at the cursor could join, it is waited for, so that it joins also where
 * blocks come faster than it is read: while it is so few blocks behind, so long, and not again so soon after in vain.
 */
const overtaken = { blocks: 16n, waitMs: 1_000, vainMs: 30_000 }

type Entry = {
  join: StreamJoin
  stop: AbortController
  work?: Promise<void> | undefined
  error?: unknown
  /** It was at the cursor once. */
  reached: boolean
  /** It looked complete and was not. */
  stale: boolean
  /** On the clock of performance.now(). */
  waitFrom: number
}

export function createStreamJoins(options: StreamJoinsOptions): StreamJoins {
  const { chain, db, log, onRead } = options
  const entries = new Map<string, Entry>()
  /** When those that failed are due again, on the clock of performance.now(). */
  const pausedUntil = new Map<string, number>()
  /** Every reading under way, also those whose result is no longer wanted. */
  const working = new Set<Promise<void>>()

  function drop(entry: Entry): void {
    entry.stop.abort()
    entries.delete(entry.join.place.streamId)
  }

  /** The first one always has room. */
  function hasRoom(entry: Entry): boolean {
    const all = [...entries.values()]
    return entry === all[0] || all.reduce((sum, { join }) => sum + join.size(), 0) < mostKept
  }

  /** Never throws: what went wrong is dealt with in a turn. */
  async function read(entry: Entry, signal: AbortSignal): Promise<void> {
    try {
      while (hasRoom(entry)) {
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

  /** A stream that cannot join keeps no other stream from joining, nor the follower from the next block. */
  async function fail(entry: Entry, error: unknown): Promise<void> {
    const { place } = entry.join
    drop(entry)
    pausedUntil.set(place.streamId, performance.now() + failedMs)
    log.warn({ chain: chain.name, stream: place.streamId, err: error }, 'a stream could not join')
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

  /** `wait`: not at this cursor, or not as it was matched. */
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
      // What history left to be confirmed while the cursor moved on: the next block may be long in coming.
      await enqueueReceiving(tx, await takeConfirmed(tx, chain.id, confirmedTo))
      await enqueueBlocks(tx, webhooks, { confirmedTo, headFrom: held.headFrom })
      await goLive(tx, chain.id, place)
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
