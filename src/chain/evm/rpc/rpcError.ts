import type { Outage } from '../../../util/errors.ts'
import { MintmarkError } from '../../../util/errors.ts'
import type { Rejection, RejectionClass } from './classifyRejection.ts'

/** Why a call has no result: the node rejected it, or the connection failed. */
export type FaultClass =
  | RejectionClass
  /** No connection, or it broke. */
  | 'unreachable'
  /** The answer is not JSON-RPC, or answers another request: HTML, wrong ids, truncated JSON. */
  | 'broken'
  /** The endpoint serves another chain. */
  | 'wrong_chain'

/** With these errors a node counts as unreachable, which its endpoint logs once. */
const unreachable: ReadonlySet<FaultClass> = new Set<FaultClass>([
  'unreachable',
  'broken',
  'overload',
  'timeout',
  'wrong_chain',
])

/** Errors that a repeated call gets again. */
const lasting: ReadonlySet<FaultClass> = new Set<FaultClass>([
  'range_cap',
  'result_cap',
  'response_size',
  'archive_paywall',
  'unauthorized',
  'method_disabled',
  'method_missing',
  'reversed',
  'pruned',
  'not_traceable',
  'reverted',
  'out_of_gas',
  'invalid_params',
])

export type RpcErrorOptions = {
  chain: string
  /** Host only: paths and queries of providers contain keys. */
  endpoint: string
  method: string
  class: FaultClass
  /** The node's message. */
  detail: string
  rejection?: Rejection
  rpcCode?: number | undefined
  heavy?: boolean
  cause?: unknown
}

/** A node returned no result for a call. `class` is the reason, `rejection` what the node reported about ranges. */
export class RpcError extends MintmarkError {
  readonly code = 'RPC'
  override readonly retryable: boolean
  override readonly outage: Outage | undefined
  readonly class: FaultClass
  readonly endpoint: string
  readonly method: string
  readonly detail: string
  readonly rejection: Rejection | undefined
  readonly rpcCode: number | undefined
  /** Only this call is too heavy: the endpoint answers others meanwhile, and may answer a smaller request. */
  readonly heavy: boolean

  constructor(options: RpcErrorOptions) {
    const detail = options.detail.slice(0, 500)
    super(`${options.method} on ${options.chain} at ${options.endpoint}: ${detail} (${options.class})`, {
      cause: options.cause,
      details: { chain: options.chain, endpoint: options.endpoint, method: options.method, class: options.class },
    })
    this.class = options.class
    this.retryable = !lasting.has(options.class)
    this.endpoint = options.endpoint
    this.method = options.method
    this.detail = detail
    this.rejection = options.rejection
    this.rpcCode = options.rpcCode
    this.heavy = options.heavy ?? false
    this.outage = unreachable.has(options.class) && !this.heavy ? 'node' : undefined
  }
}

/** No node of a chain can be queried now; not retryable if none is configured. */
export class NoEndpointError extends MintmarkError {
  readonly code = 'NO_ENDPOINT'
  override readonly retryable: boolean
  override readonly outage: Outage | undefined
  /** An earlier call found that a node serves another chain. */
  readonly otherChain: boolean

  constructor(options: { chain: string; reasons: readonly string[]; otherChain?: boolean; cause?: unknown }) {
    const { chain, reasons, otherChain = false, cause } = options
    super(
      reasons.length === 0
        ? `no node is configured for chain ${chain}; set chains.${chain}.rpc`
        : `no node of chain ${chain} can be queried now: ${reasons.join('; ')}`,
      { cause, details: { chain } },
    )
    this.retryable = reasons.length > 0
    this.outage = this.retryable ? 'node' : undefined
    this.otherChain = otherChain
  }
}
