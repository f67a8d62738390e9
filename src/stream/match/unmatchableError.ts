import { MintmarkError } from '../../util/errors.ts'
import { shownReason } from '../../util/faults/shownReason.ts'

/**
 * One stream permanently cannot get its matches of a block: the nodes do not return the data, or the matches cannot be
 * computed, written or stored. Other streams of the chain continue.
 */
export class UnmatchableError extends MintmarkError {
  readonly code = 'UNMATCHABLE'
  readonly streamId: string
  /** The error is of a read from the nodes: another node or another response may fix it. */
  readonly whileReading: boolean

  constructor(options: { streamId: string; cause: unknown; whileReading?: boolean }) {
    super(`stream ${options.streamId} cannot be matched: ${shownReason(options.cause)}`, { cause: options.cause })
    this.streamId = options.streamId
    this.whileReading = options.whileReading ?? false
  }
}
