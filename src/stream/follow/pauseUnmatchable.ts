import { TracesUnavailableError } from '../../chain/evm/source/sourceError.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import { shownReason } from '../../util/faults/shownReason.ts'
import { pauseStreams } from '../definition/pauseStream.ts'
import { UnmatchableError } from '../match/unmatchableError.ts'
import type { ChainStreams } from './createChainStreams.ts'
import { HistoryLostError } from './historyError.ts'
import { isNodeFault } from './returnToHistory.ts'

/** True for faults that only a change of a stream, or of the nodes, can mend. */
export function isUnmatchable(error: unknown): error is TracesUnavailableError | UnmatchableError {
  return error instanceof TracesUnavailableError || error instanceof UnmatchableError
}

/**
 * Pauses the stream that a fault of its own is about, and says why in its status message. Throws any other fault. Answers the
 * stream, or nothing where it was paused already: then the fault is in a block from before the pause.
 */
export async function pauseUnmatchable(options: { db: Database; log: Log }, error: unknown): Promise<string[]> {
  if (!(error instanceof UnmatchableError) || isNodeFault(error)) throw error
  const reason = shownReason(error.cause)
  const paused = await pauseStreams(options.db, [error.streamId], `paused: ${reason}`)
  options.log.warn({ streams: paused, err: error }, 'streams paused')
  return paused
}

/** What to throw in place of a fault that history met: where it is the stream's own, that is paused and the history lost. */
export async function pausedFault(options: { db: Database; log: Log }, error: unknown): Promise<unknown> {
  if (!(error instanceof UnmatchableError) || isNodeFault(error)) return error
  const paused = await pauseUnmatchable(options, error)
  return paused.length > 0 ? new HistoryLostError('the stream was paused', { cause: error }) : error
}

/** Pauses the streams that cannot be compiled as they stand, with the reason. Answers those that are paused now. */
export async function pauseFaulty(
  { db, log }: { db: Database; log: Log },
  { faults }: Pick<ChainStreams, 'faults'>,
): Promise<string[]> {
  let all: string[] = []
  for (const [id, error] of faults) {
    const reason = `paused: it cannot be matched as it is stored: ${shownReason(error)}`
    const paused = await pauseStreams(db, [id], reason)
    faults.delete(id)
    all = all.concat(paused)
    if (paused.length > 0) log.warn({ streams: paused, err: error }, 'streams paused')
  }
  return all
}
