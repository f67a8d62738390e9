import type { Database } from '../../db/database.ts'
import { shownReason } from '../../util/faults/shownReason.ts'
import type { Log } from '../../util/log.ts'
import { pauseStreams } from '../definition/pauseStreams.ts'
import { UnmatchableError } from '../match/unmatchableError.ts'
import type { ChainStreams } from './createChainStreams.ts'
import { HistoryLostError } from './historyError.ts'

/**
 * Pauses a stream that cannot be matched, with the reason in its status message. Rethrows other errors. Returns the
 * stream; empty if it was already paused, as the error is then in a block from before the pause.
 */
export async function pauseUnmatchable(options: { db: Database; log: Log }, error: unknown): Promise<string[]> {
  if (!(error instanceof UnmatchableError)) throw error
  const reason = shownReason(error.cause)
  const paused = await pauseStreams(options.db, [error.streamId], `paused: ${reason}`)
  options.log.warn({ streams: paused, err: error }, 'streams paused')
  return paused
}

/**
 * The error that a history throws in place of `error`. If the stream causes it, pauses the stream and returns
 * HistoryLostError. Returns other errors unchanged.
 */
export async function pausedFault(options: { db: Database; log: Log }, error: unknown): Promise<unknown> {
  if (!(error instanceof UnmatchableError)) return error
  const paused = await pauseUnmatchable(options, error)
  return paused.length > 0 ? new HistoryLostError('the stream was paused', { cause: error }) : error
}

/** Pauses streams that cannot be compiled, with the reason. Returns the paused streams. */
export async function pauseFaulty(
  { db, log }: { db: Database; log: Log },
  { faults }: Pick<ChainStreams, 'faults'>,
): Promise<string[]> {
  let all: string[] = []
  for (const [id, error] of faults) {
    const reason = `paused: the stored definition of the stream cannot be matched: ${shownReason(error)}`
    const paused = await pauseStreams(db, [id], reason)
    faults.delete(id)
    all = all.concat(paused)
    if (paused.length > 0) log.warn({ streams: paused, err: error }, 'streams paused')
  }
  return all
}
