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

/** Blocks of a stream's past, of which `T` is what is known once their place is held. */
type Past<T> = BlockRange & {
  open: OpenChain
  place: StreamChain
  /** The stream as it is now. */
  shape: StreamShape
  streams: ChainStreams
  /** What is omitted, as the stream had it before. */
  reported?: ChainStreams[]
  wantsLogs(block: bigint): boolean
  /** Locks the place in the transaction that stores some of the blocks. Throws HistoryLostError where it has moved. */
  hold(tx: Transaction, range: BlockRange): Promise<T>
  /** Stores what was matched, and moves the place behind the range. */
  store(tx: Transaction, range: BlockRange, webhooks: NewWebhook[][], held: T): Promise<void>
  onStored(fields: { chain: string; stream: string; from: string; to: string }): void
}

/** Blocks matched in one transaction. */
const blocksPerStep = 64n

/**
 * Matches blocks of a stream's past in their order, some in each transaction. `full`: enough webhooks are queued for the stream; `over`:
 * the turn ended; `done`: all are matched.
 */
export async function matchInSteps<T>(
  { db, workPriority, tokens, worker, maxAhead, maxBytes, log }: HistoryTurnOptions,
  past: Past<T>,
  turn: { isOver: () => boolean; signal: AbortSignal },
): Promise<'done' | 'full' | 'over'> {
  const { open, place, shape, streams, reported, to: last } = past
  const { chain, source } = open

  async function match(range: BlockRange): Promise<NewWebhook[][]> {
    const headers = await readPastHeaders(db, open, range, turn.signal)
    const blocks = await readBlocks({
      source,
      headers,
      wanted: ({ number }) => (past.wantsLogs(number) ? everyLog : undefined),
      signal: turn.signal,
    })
    try {
      return await matchPast({ streams, reported, blocks, chainId: chain.id, tokens, maxBytes }, shape)
    } catch (error) {
      throw await pausedFault({ db, log }, error)
    }
  }

  /** `idle`: the stream wants nothing of these blocks, so they are not read. */
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
    if (turn.isOver()) return 'over'
    if ((await countQueued(db, { partition: place.partition, id: place.streamId })) >= maxAhead) return 'full'
    const needs = streams.needs()
    const idle = !needs.logs && !needs.transactions && !needs.internalTransfers
    const to = idle || next + blocksPerStep > last ? last : next + blocksPerStep - 1n
    await workPriority.turn('stream_history', turn.signal, () => step({ from: next, to }, idle))
    next = to + 1n
  }
  return 'done'
}
