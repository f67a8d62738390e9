import { MintmarkError } from '../../errors.ts'
import { shownReason } from '../../util/faults/shownReason.ts'

/**
 * A stream cannot have what it wants of a block, however often it is tried: the nodes of its chain will not give it, or it
 * cannot be matched, written or stored. Nothing that keeps the other streams of the chain from theirs.
 */
export class UnmatchableError extends MintmarkError {
  readonly code = 'UNMATCHABLE'
  readonly streamId: string
  /** It happened while what the stream wants was read: another node, or another answer, may mend it. */
  readonly whileReading: boolean

  constructor(options: { streamId: string; cause: unknown; whileReading?: boolean }) {
    super(`stream ${options.streamId} cannot be matched: ${shownReason(options.cause)}`, { cause: options.cause })
    this.streamId = options.streamId
    this.whileReading = options.whileReading ?? false
  }
}
