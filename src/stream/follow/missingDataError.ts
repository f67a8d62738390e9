import { RpcError } from '../../chain/evm/rpc/rpcError.ts'
import {
  BlockUnsettledError,
  InconsistentResponseError,
  TracesUnavailableError,
} from '../../chain/evm/source/sourceError.ts'
import { MintmarkError } from '../../util/errors.ts'
import { isInputFault } from '../../util/faults/inputFault.ts'
import { shownReason } from '../../util/faults/shownReason.ts'
import { SlowReadError } from './createReadLimit.ts'

/** The nodes do not return data of a block that these streams need. Other streams of the chain continue. */
export class MissingDataError extends MintmarkError {
  readonly code = 'MISSING_DATA'
  override readonly retryable = true
  readonly streamIds: readonly string[]
  /** The nodes reject the request, return inconsistent data or take too long: another attempt gets the same. */
  readonly lasts: boolean

  constructor(options: { streamIds: readonly string[]; cause: unknown; lasts: boolean }) {
    super(shownReason(options.cause), { cause: options.cause })
    this.streamIds = options.streamIds
    this.lasts = options.lasts
  }
}

/** The error of a read for these streams. Errors that are not about the data, such as an outage of all nodes, are returned unchanged. */
export function toMissingData(streamIds: readonly string[], cause: unknown): unknown {
  if (cause instanceof MissingDataError) return cause
  if (cause instanceof BlockUnsettledError || (cause instanceof RpcError && cause.retryable))
    return new MissingDataError({ streamIds, cause, lasts: false })
  const lasts =
    cause instanceof RpcError ||
    cause instanceof InconsistentResponseError ||
    cause instanceof TracesUnavailableError ||
    cause instanceof SlowReadError ||
    isInputFault(cause)
  return lasts ? new MissingDataError({ streamIds, cause, lasts }) : cause
}

/**
 * The results of reads for several streams, once all have ended. Of missing data, throws one error for all streams that wait for the same:
 * those that wait for what lasts, if there are any. Throws any other error first.
 */
export async function readAll<T>(reads: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(reads)
  const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  const faults = errors.filter((error) => error instanceof MissingDataError)
  if (errors.length > faults.length) throw errors.find((error) => !(error instanceof MissingDataError))
  const lasting = faults.filter(({ lasts }) => lasts)
  const thrown = lasting.length > 0 ? lasting : faults
  const [first] = thrown
  if (first) {
    const streamIds = [...new Set(thrown.flatMap((fault) => fault.streamIds))]
    throw new MissingDataError({ streamIds, cause: first.cause, lasts: first.lasts })
  }
  return results.map((result) => (result as PromiseFulfilledResult<T>).value)
}
