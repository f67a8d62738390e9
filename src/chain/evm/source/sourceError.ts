import { MintmarkError } from '../../../util/errors.ts'
import { shownReason } from '../../../util/faults/shownReason.ts'
import type { Hex } from '../../../util/hex.ts'
import { type FaultClass, RpcError } from '../rpc/rpcError.ts'
import type { LogRange } from './source.ts'

/** A node rejects the logs of a single block, so the range cannot be narrowed. Has the node's message. */
export class LogRangeError extends MintmarkError {
  readonly code = 'LOG_RANGE'
  override readonly retryable = true

  constructor(options: { chain: string; address: string; block: bigint; cause: unknown }) {
    const { chain, address, block, cause } = options
    super(`logs of ${address} in block ${block} of ${chain} cannot be read: ${shownReason(cause)}`, {
      details: { chain, address, block: String(block) },
    })
    this.cause = cause
  }
}

/** No node returns all logs, transactions, receipts or traces of a block. The block is requested again later, and stays open until then. */
export class BlockUnsettledError extends MintmarkError {
  readonly code = 'BLOCK_UNSETTLED'
  override readonly retryable = true

  /** `reasons`: messages and errors, in order. The last inconsistent answer is the cause, otherwise the last error. */
  constructor(options: { chain: string; block: { number: bigint; hash: Hex }; reasons: readonly unknown[] }) {
    const { chain, block, reasons } = options
    const { number, hash } = block
    super(`block ${number} (${hash}) of ${chain} cannot be settled: ${detailOf(reasons).join('; ')}`, {
      cause:
        reasons.findLast((reason) => reason instanceof InconsistentResponseError) ??
        reasons.findLast((reason) => reason instanceof Error),
      details: { chain, number: String(number), hash },
    })
  }
}

/** Reasons as messages, without duplicates. */
export function detailOf(reasons: readonly unknown[]): string[] {
  return [...new Set(reasons.map((reason) => (typeof reason === 'string' ? reason : shownReason(reason))))]
}

/** An answer that is invalid, or older than an earlier one; nodes may return another one later. */
export class InconsistentResponseError extends MintmarkError {
  readonly code = 'INCONSISTENT_RESPONSE'
  override readonly retryable = true

  constructor(options: { chain: string; question: string; reason: string }) {
    super(`${options.question} on ${options.chain}: ${options.reason}`, { details: { chain: options.chain } })
  }
}

/** The nodes of a chain support no method for internal transactions. Not retryable. */
export class TracesUnavailableError extends MintmarkError {
  readonly code = 'TRACES_UNAVAILABLE'

  constructor(options: { chain: string; reasons: readonly string[] }) {
    super(
      `the nodes of ${options.chain} offer neither trace_block nor debug_traceBlockByHash or -ByNumber with callTracer: ` +
        options.reasons.join('; '),
      { details: { chain: options.chain } },
    )
  }
}

/** Whether nodes answered, but every answer was invalid. Unlike an outage, this lasts until somebody checks the nodes. */
export function isUnreadable(error: unknown): boolean {
  return [BlockUnsettledError, InconsistentResponseError, LogRangeError].some((kind) => error instanceof kind)
}

/** Errors that a narrower range may fix; an unknown one may be about the range too. */
const curable: ReadonlySet<FaultClass> = new Set<FaultClass>([
  'range_cap',
  'result_cap',
  'response_size',
  'timeout',
  'unknown',
  'invalid_params',
])

/** Whether a narrower range may succeed. A node for which only this request is too heavy gets a smaller one, whatever it reported. */
export function isNarrowable(error: unknown, { topics }: Pick<LogRange, 'topics'>): error is RpcError {
  if (!(error instanceof RpcError)) return false
  // The node may reject the list of wallets, which no narrower range fixes: the caller requests fewer.
  const hasList = topics.slice(1).some((place) => place !== null && place.length > 1)
  if (hasList && (error.class === 'invalid_params' || error.class === 'unknown')) return false
  return error.heavy || curable.has(error.class)
}
