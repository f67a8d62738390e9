import { describeError, MintmarkError } from '../../errors.ts'

/** A stream wants of a block what the nodes of its chain will not give, however often they are asked. */
export class UnmatchableError extends MintmarkError {
  readonly code = 'UNMATCHABLE'
  readonly streamId: string

  constructor(options: { streamId: string; cause: unknown }) {
    super(`stream ${options.streamId} cannot be matched: ${describeError(options.cause)}`, { cause: options.cause })
    this.streamId = options.streamId
  }
}
