import type { Transaction } from '../../db/database.ts'
import { inSnapshot } from '../../db/inSnapshot.ts'
import { readChain } from '../../sync/chainStore.ts'
import type { OpenChain } from '../../sync/openChains.ts'
import { smaller } from '../../util/extremes.ts'
import { holdStreamChain, moveHistory, type StreamChain } from '../definition/streamChain.ts'
import { readChanges } from '../definition/streamChange.ts'
import { needsOf } from '../match/match.ts'
import { type ChainStreams, createChainStreams } from './createChainStreams.ts'
import { enqueueBlocks } from './enqueueBlocks.ts'
import { HistoryLostError } from './historyError.ts'
import { loadStream } from './loadStreams.ts'
import { type HistorySliceOptions, matchInSteps } from './matchInSteps.ts'
import { pauseFaulty } from './pauseUnmatchable.ts'

/**
 * Matches a stream's history on a chain in block order, up to the last final, followed block. `full`: enough webhooks
 * are queued; `over`: the time slice ended; `done`: the stream can join the chain.
 */
export async function historySlice(
  options: HistorySliceOptions,
  open: OpenChain,
  place: StreamChain,
  slice: { isOver: () => boolean; signal: AbortSignal },
): Promise<'done' | 'full' | 'over'> {
  const { db, log } = options
  const { chain } = open
  const streams = createChainStreams({ chainId: chain.id })
  // One snapshot: a later change applies above this cursor, and no block above it is matched now.
  const view = await inSnapshot(db, async (tx) => {
    const row = await readChain(tx, chain.id)
    return { row, loaded: await loadStream(tx, chain.id, place) }
  })
  const { row, loaded } = view
  if (!row?.block || !loaded) return 'done'
  streams.add(loaded)
  if ((await pauseFaulty(options, streams)).length > 0) throw new HistoryLostError('the stream was paused')
  const lastSeq = loaded.changes.at(-1)?.seq ?? 0n
  /** The last confirmed block at the start of the slice. */
  const confirmedTo = row.block.number - BigInt(chain.confirmations)

  /**
   * The last confirmed block. If some of these blocks were not confirmed yet, the cursor is read again, and locked
   * until the transaction ends. Otherwise a webhook could await an already followed block, and be sent after those of
   * later blocks.
   */
  async function lastConfirmed(tx: Transaction, to: bigint): Promise<bigint> {
    if (to <= confirmedTo) return confirmedTo
    const row = await readChain(tx, chain.id, true)
    if (!row?.block) throw new HistoryLostError(`${chain.name} is not followed any more`)
    return row.block.number - BigInt(chain.confirmations)
  }

  return matchInSteps(
    options,
    {
      ...{ open, place, shape: loaded.shape, streams, from: place.nextBlock },
      to: smaller(row.block.number, row.finalized),
      wantsLogs: (block) => logsAt(streams, block),
      async hold(tx, { from, to }) {
        const confirmed = await lastConfirmed(tx, to)
        const now = await holdStreamChain(tx, chain.id, place)
        if (now?.nextBlock !== from) throw new HistoryLostError(`the history of ${place.streamId} is read elsewhere`)
        return { confirmedTo: confirmed, headFrom: now.headFrom }
      },
      async store(tx, { to }, webhooks, held) {
        // A change applies to final blocks only if the history had not begun.
        const since = await readChanges(tx, chain.id, { after: lastSeq, streamId: place.streamId })
        if (since.some(({ effective }) => effective <= to)) throw new HistoryLostError('the stream changed meanwhile')
        await enqueueBlocks(tx, webhooks, held)
        await moveHistory(tx, chain.id, place, to + 1n)
      },
      onStored: (fields) => log.debug(fields, 'stream history matched'),
    },
    slice,
  )
}

/** Whether the stream needs logs at a block. */
function logsAt(streams: ChainStreams, block: bigint): boolean {
  streams.seek(block)
  return needsOf(streams.index.slots).logs
}
