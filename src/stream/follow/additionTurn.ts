import type { Sql } from '../../db/database.ts'
import { inSnapshot } from '../../db/inSnapshot.ts'
import { readChain } from '../../sync/chainStore.ts'
import { isServedBy } from '../../sync/leases/served.ts'
import type { OpenChain } from '../../sync/openChains.ts'
import { everyLog, readBlocks } from '../../sync/readBlocks.ts'
import {
  holdAdditions,
  keepBrought,
  moveAdditions,
  readAddedAddresses,
  readAdditions,
  readBrought,
} from '../definition/streamAddition.ts'
import type { StreamChain } from '../definition/streamChain.ts'
import type { StreamShape } from '../definition/streamChange.ts'
import { readSteadyAddresses } from '../definition/streamSince.ts'
import { readWatched } from '../definition/watchedSpans.ts'
import { countQueued } from '../ledger/streamState.ts'
import { type ChainStreams, createChainStreams } from './createChainStreams.ts'
import { enqueueBlocks } from './enqueueBlocks.ts'
import { HistoryLostError } from './historyError.ts'
import { blocksPerStep, type HistoryTurnOptions } from './historyTurn.ts'
import { loadStream } from './loadStreams.ts'
import { matchPast } from './matchBlocks.ts'
import { pausedFault } from './pauseUnmatchable.ts'
import { readPastHeaders } from './readPastHeaders.ts'
import { broughtStreams, ofSingleAddresses, pendingAddresses, reportedStream } from './reportedStream.ts'

/** Additions that are read together: they are at the same block, and are read up to where the first of them ends. */
type Reading = {
  numbers: bigint[]
  from: bigint
  /** Last block. */
  to: bigint
  /** The stream as it is now. */
  shape: StreamShape
  /** The stream as it is defined now, with the added addresses alone. */
  streams: ChainStreams
  /** The stream as it matched, or will match, these blocks itself, and what additions brought of them: that is omitted. */
  reported: ChainStreams[]
}

/**
 * Reads the history of addresses that were added after a stream's own history began: the matches that they add to each block. Only final and
 * confirmed blocks are read, so that no reorganisation takes them back. `full`: enough webhooks are queued for the stream, or the next block is not
 * final and confirmed yet; `over`: the turn ended, or these additions are complete.
 */
export async function additionTurn(
  options: HistoryTurnOptions,
  open: OpenChain,
  place: StreamChain,
  turn: { isOver: () => boolean; signal: AbortSignal },
): Promise<'full' | 'over'> {
  const { db, workPriority, maxAhead } = options
  const reading = await inSnapshot(db, (tx) => readNext(tx, open, place))
  if (!reading) return 'full'
  const { logs, transactions, internalTransfers } = reading.streams.needs()
  const idle = !logs && !transactions && !internalTransfers
  for (let next = reading.from; next <= reading.to; ) {
    if (turn.isOver()) return 'over'
    if ((await countQueued(db, { partition: place.partition, id: place.streamId })) >= maxAhead) return 'full'
    const last = next + blocksPerStep - 1n
    const to = idle || last > reading.to ? reading.to : last
    const range = { from: next, to }
    await workPriority.turn('stream_history', turn.signal, () =>
      step(options, open, { place, reading, range, idle, signal: turn.signal }),
    )
    next = to + 1n
  }
  return 'over'
}

/** The additions to read next; undefined while their blocks are not final and confirmed. */
async function readNext(sql: Sql, { chain }: OpenChain, place: StreamChain): Promise<Reading | undefined> {
  const additions = await readAdditions(sql, chain.id, place)
  const row = await readChain(sql, chain.id)
  const from = additions[0]?.nextBlock
  if (from === undefined || !row?.block) return undefined
  const own = additions.filter(({ nextBlock }) => nextBlock === from)
  const ends = [
    ...own.map(({ toBlock }) => toBlock - 1n),
    row.finalized,
    row.block.number - BigInt(chain.confirmations),
  ]
  const to = ends.reduce((a, b) => (a < b ? a : b))
  const loaded = from <= to && (await loadStream(sql, chain.id, place))
  if (!loaded) return undefined
  const numbers = own.map(({ number }) => number)
  const added = await readAddedAddresses(sql, chain.id, place)
  const steady = await readSteadyAddresses(sql, { partition: place.partition, id: place.streamId }, chain.id)
  // Addresses whose history is still to be read: they gave the stream nothing below the block at which they were added.
  const brought = await readBrought(sql, chain.id, place)
  const pending = pendingAddresses([
    ...additions.map(({ number, toBlock }) => ({ ownFrom: toBlock, addresses: added.get(number)! })),
    ...brought,
  ])
  const watched = await readWatched(sql, chain.id, place, pending)
  const reported = [reportedStream(loaded, { steady, watched, pending }), ...broughtStreams(loaded, brought)].map(
    (stream) => {
      const streams = createChainStreams({ chainId: chain.id })
      streams.add(stream)
      return streams
    },
  )
  const streams = createChainStreams({ chainId: chain.id })
  // Only the added addresses match, also where the stream watches all addresses by now.
  const shape = ofSingleAddresses(loaded.shape)
  const addresses = Buffer.concat(numbers.map((number) => added.get(number)!))
  streams.add({ place: { ...place, fromBlock: 0n }, shape, addresses, changes: [] })
  return { numbers, from, to, shape: loaded.shape, streams, reported }
}

type Step = {
  place: StreamChain
  reading: Reading
  range: { from: bigint; to: bigint }
  idle: boolean
  signal: AbortSignal
}

/** Matches a few blocks and moves on, in one transaction. */
async function step(
  { db, tokens, worker, maxBytes, log }: HistoryTurnOptions,
  open: OpenChain,
  { place, reading, range: { from, to }, idle, signal }: Step,
): Promise<void> {
  const { chain, source } = open
  const { numbers, shape, streams, reported } = reading
  const webhooks = await read()
  const held = worker()
  if (held === undefined) throw new HistoryLostError('this process holds no lease')
  try {
    await db.transaction(async (tx) => {
      const now = (await holdAdditions(tx, chain.id, place)).filter(({ number }) => numbers.includes(number))
      if (now.length !== numbers.length || now.some(({ nextBlock }) => nextBlock !== from))
        throw new HistoryLostError(`the history of ${place.streamId} is read elsewhere`)
      if (!(await isServedBy(tx, { partition: place.partition, chainId: chain.id }, held)))
        throw new HistoryLostError('the lease is lost')
      const own = webhooks.map((block) => block.map((webhook) => ({ ...webhook, addition: numbers[0]! })))
      await enqueueBlocks(tx, own, { confirmedTo: to, headFrom: to + 1n })
      await keepBrought(tx, chain.id, place, { numbers, to: to + 1n, shape })
      await moveAdditions(tx, chain.id, place, { numbers, nextBlock: to + 1n })
    })
  } catch (error) {
    throw await pausedFault({ db, log }, error)
  }
  log.debug(
    { chain: chain.name, stream: place.streamId, from: String(from), to: String(to) },
    'stream addition matched',
  )

  async function read() {
    if (idle) return []
    const headers = await readPastHeaders(db, open, { from, to }, signal)
    const { logs } = streams.needs()
    const blocks = await readBlocks({ source, headers, wanted: () => (logs ? everyLog : undefined), signal })
    try {
      return await matchPast({ streams, reported, blocks, chainId: chain.id, tokens, maxBytes }, shape)
    } catch (error) {
      throw await pausedFault({ db, log }, error)
    }
  }
}
