import { MintmarkError } from '../../util/errors.ts'

/**
 * Another worker reads the stream's history now, or the stream changed or was deleted: the result is discarded. Not a
 * failure.
 */
export class HistoryLostError extends MintmarkError {
  readonly code = 'HISTORY_LOST'
}

/** A node does not have blocks that are final elsewhere. */
export class HistoryLaggingError extends MintmarkError {
  readonly code = 'HISTORY_LAGGING'
  override readonly retryable = true
}
