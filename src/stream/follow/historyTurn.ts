import type { Database, Transaction } from '../../db/database.ts'
import { inSnapshot } from '../../db/inSnapshot.ts'
import type { BlockRange } from '../../sync/blockRange.ts'
import { readChain } from '../../sync/chainStore.ts'
import { isServedBy } from '../../sync/leases/served.ts'
import type { OpenChain } from '../../sync/openChains.ts'
import { everyLog, readBlocks } from '../../sync/readBlocks.ts'
import type { Log } from '../../util/log.ts'
import type { WorkPriority } from '../../util/workPriority.ts'
import { holdStreamChain, moveHistory, type StreamChain } from '../definition/streamChain.ts'
import { readChanges, type StreamShape } from '../definition/streamChange.ts'
import { countQueued } from '../ledger/streamState.ts'
import { needsOf } from '../match/match.ts'
import type { TokenReader } from '../payload/tokenReader.ts'
import { type ChainStreams, createChainStreams } from './createChainStreams.ts'
import { enqueueBlocks } from './enqueueBlocks.ts'
import { HistoryLostError } from './historyError.ts'
import { loadStream } from './loadStreams.ts'
import { matchPast } from './matchBlocks.ts'
import { pausedFault, pauseFaulty } from './pauseUnmatchable.ts'
import { readPastHeaders } from './readPastHeaders.ts'

export type HistoryTurnOptions = {
  db: Database
  workPriority: Pick<WorkPriority, 'turn'>
  tokens: TokenReader
  /** This worker's id; undefined where another worker has to read the stream's history. */
  worker: () => number | undefined
  /** History waits while so many webhooks are queued for the stream. */
  maxAhead: number
  /** A webhook above so many bytes is written in parts. */
  maxBytes: number
  log: Log
}

/** Blocks matched in one transaction. */
export const blocksPerStep = 64n

/**
 * Matches the history of a stream on a chain in order of the blocks, up to the last one that is final and followed. `full`: enough
 * webhooks are queued for the stream; `over`: the turn ended; `done`: the stream can join the chain.
 */
export async function historyTurn(
  options: HistoryTurnOptions,
  open: OpenChain,
  place: StreamChain,
  turn: { isOver: () => boolean; signal: AbortSignal },
): Promise<'done' | 'full' | 'over'> {
  const { db, workPriority, maxAhead } = options
  const { chain } = open
  const streams = createChainStreams({ chainId: chain.id })
  // One snapshot: a change that comes later holds above the cursor that is read here, and no block above that is matched now.
  const view = await inSnapshot(db, async (tx) => {
    const row = await readChain(tx, chain.id)
    return { row, loaded: await loadStream(tx, chain.id, place) }
  })
  const { row, loaded } = view
  if (!row?.block || !loaded) return 'done'
  streams.add(loaded)
  if ((await pauseFaulty(options, streams)).length > 0) throw new HistoryLostError('the stream was paused')
  const last = row.block.number < row.finalized ? row.block.number : row.finalized
  const history = {
    streams,
    place,
    shape: loaded.shape,
    lastSeq: loaded.changes.at(-1)?.seq ?? 0n,
    confirmedTo: row.block.number - BigInt(chain.confirmations),
  }
  let next = place.nextBlock
  while (next <= last) {
    if (turn.isOver()) return 'over'
    const queued = await countQueued(db, { partition: place.partition, id: place.streamId })
    if (queued >= maxAhead) return 'full'
    const needs = streams.needs()
    const idle = !needs.logs && !needs.transactions && !needs.internalTransfers
    const to = idle || next + blocksPerStep > last ? last : next + blocksPerStep - 1n
    const range = { from: next, to }
    next = await workPriority.turn('stream_history', turn.signal, () =>
      step(options, open, { ...history, range, idle, signal: turn.signal }),
    )
  }
  return 'done'
}

type Step = {
  streams: ChainStreams
  place: StreamChain
  /** The stream as it is now. */
  shape: StreamShape
  /** `seq` of the last change that was loaded. */
  lastSeq: bigint
  /** The last block that was confirmed when the turn began. */
  confirmedTo: bigint
  range: BlockRange
  /** The stream wants nothing of these blocks, so they are not read. */
  idle: boolean
  signal: AbortSignal
}

/** Matches a few blocks and moves on, in one transaction. Answers the next block. */
async function step(
  { db, tokens, worker, maxBytes, log }: HistoryTurnOptions,
  open: OpenChain,
  { streams, place, shape, lastSeq, confirmedTo, range: { from, to }, idle, signal }: Step,
): Promise<bigint> {
  const { chain, source } = open
  const webhooks = await read()
  const held = worker()
  if (held === undefined) throw new HistoryLostError('this process holds no lease')
  try {
    await db.transaction(async (tx) => {
      const confirmed = await lastConfirmed(tx)
      const now = await holdStreamChain(tx, chain.id, place)
      if (now?.nextBlock !== from) throw new HistoryLostError(`the history of ${place.streamId} is read elsewhere`)
      if (!(await isServedBy(tx, { partition: place.partition, chainId: chain.id }, held)))
        throw new HistoryLostError('the lease is lost')
      // A change holds for final blocks only where the history had not begun.
      const since = await readChanges(tx, chain.id, { after: lastSeq, streamId: place.streamId })
      if (since.some(({ effective }) => effective <= to)) throw new HistoryLostError('the stream changed meanwhile')
      await enqueueBlocks(tx, webhooks, { confirmedTo: confirmed, headFrom: now.headFrom })
      await moveHistory(tx, chain.id, place, to + 1n)
    })
  } catch (error) {
    throw await pausedFault({ db, log }, error)
  }
  log.debug({ chain: chain.name, stream: place.streamId, from: String(from), to: String(to) }, 'stream history matched')
  return to + 1n

  /**
   * The last confirmed block. Where some of these blocks were not confirmed yet, the cursor is read again, and stays where it is until the
   * transaction ends: a webhook that waits for a block that is followed already would come after those of later blocks.
   */
  async function lastConfirmed(tx: Transaction): Promise<bigint> {
    if (to <= confirmedTo) return confirmedTo
    const row = await readChain(tx, chain.id, true)
    if (!row?.block) throw new HistoryLostError(`${chain.name} is not followed any more`)
    return row.block.number - BigInt(chain.confirmations)
  }

  async function read() {
    if (idle) return []
    const headers = await readPastHeaders(db, open, { from, to }, signal)
    const blocks = await readBlocks({
      source,
      headers,
      wanted: ({ number }) => (logsAt(streams, number) ? everyLog : undefined),
      signal,
    })
    try {
      return await matchPast({ streams, blocks, chainId: chain.id, tokens, maxBytes }, shape)
    } catch (error) {
      throw await pausedFault({ db, log }, error)
    }
  }
}

/** Whether the stream, as it was at a block, wants logs. */
function logsAt(streams: ChainStreams, block: bigint): boolean {
  streams.seek(block)
  return needsOf(streams.index.slots).logs
}
