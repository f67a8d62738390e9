import type { Database, Transaction } from '../../db/database.ts'
import type { BlockRange } from '../../sync/blockRange.ts'
import { isServedBy } from '../../sync/leases/served.ts'
import type { OpenChain } from '../../sync/openChains.ts'
import { everyLog, readBlocks } from '../../sync/readBlocks.ts'
import type { Log } from '../../util/log.ts'
import type { WorkPriority } from '../../util/workPriority.ts'
import type { StreamChain } from '../definition/streamChain.ts'
import type { StreamShape } from '../definition/streamChange.ts'
import type { NewWebhook } from '../ledger/newWebhook.ts'
import { countQueued } from '../ledger/streamState.ts'
import type { TokenReader } from '../payload/tokenReader.ts'
import type { ChainStreams } from './createChainStreams.ts'
import { HistoryLostError } from './historyError.ts'
import { matchPast } from './matchBlocks.ts'
import { pausedFault } from './pauseUnmatchable.ts'
import { readPastHeaders } from './readPastHeaders.ts'

export type HistorySliceOptions = {
  db: Database
  workPriority: Pick<WorkPriority, 'schedule'>
  tokens: TokenReader
  /** Id of this worker; undefined: another worker must read the stream's history. */
  worker: () => number | undefined
  /** History waits while this many webhooks are queued for the stream. */
  maxAhead: number
  /** Larger webhooks are split, in bytes. */
  maxBytes: number
  log: Log
}

/** Past blocks of a stream. `T`: the result of locking their place. */
type Past<T> = BlockRange & {
  open: OpenChain
  place: StreamChain
  /** The stream's current shape. */
  shape: StreamShape
  streams: ChainStreams
  /** Earlier states of the stream, whose matches are omitted. */
  reported?: ChainStreams[]
  wantsLogs(block: bigint): boolean
  /** Locks the place in the transaction that stores these blocks. Throws HistoryLostError if it has moved. */
  hold(tx: Transaction, range: BlockRange): Promise<T>
  /** Stores the matches, and moves the place past the range. */
  store(tx: Transaction, range: BlockRange, webhooks: NewWebhook[][], held: T): Promise<void>
  onStored(fields: { chain: string; stream: string; from: string; to: string }): void
}

/** Blocks per transaction. */
const blocksPerStep = 64n

/**
 * Matches past blocks of a stream in order, some per transaction. `full`: enough webhooks are queued; `over`: the time
 * slice ended; `done`: all are matched.
 */
export async function matchInSteps<T>(
  { db, workPriority, tokens, worker, maxAhead, maxBytes, log }: HistorySliceOptions,
  past: Past<T>,
  slice: { isOver: () => boolean; signal: AbortSignal },
): Promise<'done' | 'full' | 'over'> {
  const { open, place, shape, streams, reported, to: last } = past
  const { chain, source } = open

  async function match(range: BlockRange): Promise<NewWebhook[][]> {
    const headers = await readPastHeaders(db, open, range, slice.signal)
    const blocks = await readBlocks({
      source,
      headers,
      wanted: ({ number }) => (past.wantsLogs(number) ? everyLog : undefined),
      signal: slice.signal,
    })
    try {
      return await matchPast({ streams, reported, blocks, chainId: chain.id, tokens, maxBytes }, shape)
    } catch (error) {
      throw await pausedFault({ db, log }, error)
    }
  }

  /** `idle`: the stream needs nothing from these blocks, so they are not read. */
  async function step(range: BlockRange, idle: boolean): Promise<void> {
    const webhooks = idle ? [] : await match(range)
    const own = worker()
    if (own === undefined) throw new HistoryLostError('this process holds no lease')
    try {
      await db.transaction(async (tx) => {
        const held = await past.hold(tx, range)
        if (!(await isServedBy(tx, { partition: place.partition, chainId: chain.id }, own)))
          throw new HistoryLostError('the lease is lost')
        await past.store(tx, range, webhooks, held)
      })
    } catch (error) {
      throw await pausedFault({ db, log }, error)
    }
    const { from, to } = range
    past.onStored({ chain: chain.name, stream: place.streamId, from: String(from), to: String(to) })
  }

  for (let next = past.from; next <= last; ) {
    if (slice.isOver()) return 'over'
    if ((await countQueued(db, { partition: place.partition, id: place.streamId })) >= maxAhead) return 'full'
    const needs = streams.needs()
    const idle = !needs.logs && !needs.transactions && !needs.internalTransfers
    const to = idle || next + blocksPerStep > last ? last : next + blocksPerStep - 1n
    await workPriority.schedule('stream_history', slice.signal, () => step({ from: next, to }, idle))
    next = to + 1n
  }
  return 'done'
}
