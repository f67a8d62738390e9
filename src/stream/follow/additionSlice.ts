import type { Sql } from '../../db/database.ts'
import { inSnapshot } from '../../db/inSnapshot.ts'
import { readChain } from '../../sync/chainStore.ts'
import type { OpenChain } from '../../sync/openChains.ts'
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
import { type ChainStreams, createChainStreams } from './createChainStreams.ts'
import { enqueueBlocks } from './enqueueBlocks.ts'
import { HistoryLostError } from './historyError.ts'
import { loadStream } from './loadStreams.ts'
import { type HistorySliceOptions, matchInSteps } from './matchInSteps.ts'
import { broughtStreams, ofSingleAddresses, pendingAddresses, reportedStream } from './reportedStream.ts'

/** Additions that are read together: they are at the same block, and are read until the first of them ends. */
type Reading = {
  numbers: bigint[]
  from: bigint
  /** Last block. */
  to: bigint
  /** The stream's current shape. */
  shape: StreamShape
  /** The stream's current definition, with only the added addresses. */
  streams: ChainStreams
  /** The stream's own matches of these blocks, and those of earlier additions: they are omitted. */
  reported: ChainStreams[]
}

/**
 * Reads the history of addresses that were added after a stream's own history began: their additional matches of each
 * block. Reads only final, confirmed blocks, so no reorg undoes them. `full`: enough webhooks are queued, or the next
 * block is not final and confirmed yet. `over`: the time slice ended, or these additions are complete.
 */
export async function additionSlice(
  options: HistorySliceOptions,
  open: OpenChain,
  place: StreamChain,
  slice: { isOver: () => boolean; signal: AbortSignal },
): Promise<'full' | 'over'> {
  const { db, log } = options
  const { chain } = open
  const reading = await inSnapshot(db, (tx) => readNext(tx, open, place))
  if (!reading) return 'full'
  const { numbers, from, to, shape, streams, reported } = reading
  const ended = await matchInSteps(
    options,
    {
      ...{ open, place, shape, streams, reported, from, to },
      wantsLogs: () => streams.needs().logs,
      async hold(tx, range) {
        const now = (await holdAdditions(tx, chain.id, place)).filter(({ number }) => numbers.includes(number))
        if (now.length !== numbers.length || now.some(({ nextBlock }) => nextBlock !== range.from))
          throw new HistoryLostError(`the history of ${place.streamId} is read elsewhere`)
      },
      async store(tx, { to }, webhooks) {
        const own = webhooks.map((block) => block.map((webhook) => ({ ...webhook, addition: numbers[0]! })))
        await enqueueBlocks(tx, own, { confirmedTo: to, headFrom: to + 1n })
        await keepBrought(tx, chain.id, place, { numbers, to: to + 1n, shape })
        await moveAdditions(tx, chain.id, place, { numbers, nextBlock: to + 1n })
      },
      onStored: (fields) => log.debug(fields, 'stream addition matched'),
    },
    slice,
  )
  return ended === 'full' ? 'full' : 'over'
}

/** The additions to read next, the earliest whose next block is final and confirmed; undefined: none. */
async function readNext(sql: Sql, { chain }: OpenChain, place: StreamChain): Promise<Reading | undefined> {
  const additions = await readAdditions(sql, chain.id, place)
  const row = await readChain(sql, chain.id)
  if (!row?.block) return undefined
  const least = (numbers: readonly bigint[]) => numbers.reduce((a, b) => (a < b ? a : b))
  const last = least([row.finalized, row.block.number - BigInt(chain.confirmations)])
  const from = additions.find(({ nextBlock }) => nextBlock <= last)?.nextBlock
  const loaded = from !== undefined && (await loadStream(sql, chain.id, place))
  if (from === undefined || !loaded) return undefined
  const own = additions.filter(({ nextBlock }) => nextBlock === from)
  const to = least([last, ...own.map(({ toBlock }) => toBlock - 1n)])
  const numbers = own.map(({ number }) => number)
  const added = await readAddedAddresses(sql, chain.id, place)
  const steady = await readSteadyAddresses(sql, { partition: place.partition, id: place.streamId }, chain.id)
  // Addresses with unread history have no matches below the block at which they were added.
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
  // Only the added addresses match, even if the stream now watches all addresses.
  const shape = ofSingleAddresses(loaded.shape)
  const addresses = Buffer.concat(numbers.map((number) => added.get(number)!))
  streams.add({ place: { ...place, fromBlock: 0n }, shape, addresses, changes: [] })
  return { numbers, from, to, shape: loaded.shape, streams, reported }
}
