import { MintmarkError } from '../../util/errors.ts'
import { shownReason } from '../../util/faults/shownReason.ts'

/**
 * One stream permanently cannot get its matches of a block, as they cannot be computed, written or stored. Other streams
 * of the chain continue.
 */
export class UnmatchableError extends MintmarkError {
  readonly code = 'UNMATCHABLE'
  readonly streamId: string

  constructor(options: { streamId: string; cause: unknown }) {
    super(`stream ${options.streamId} cannot be matched: ${shownReason(options.cause)}`, { cause: options.cause })
    this.streamId = options.streamId
  }
}
