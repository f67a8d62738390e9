import { OutboundError } from '../outboundError.ts'

/** A gateway sent other bytes than those of the CID. */
export class ContentMismatchError extends OutboundError {
  readonly code = 'CONTENT_MISMATCH'
  override readonly retryable = true

  constructor(options: { gateway: string; cid: string }) {
    super(`${options.gateway} sent bytes that do not match ${options.cid}`, { details: options })
  }
}

/** The CID's directory has no such entry, and never will: its blocks were checked. Not retryable. */
export class ContentMissingError extends OutboundError {
  readonly code = 'CONTENT_MISSING'

  constructor(options: { cid: string; name: string }) {
    super(`${options.cid} contains no "${options.name.slice(0, 100)}"`, { details: { cid: options.cid } })
  }
}

/** No gateway had the content. Retryable unless no gateway could be queried; the first reason is the cause. */
export class GatewaysFailedError extends OutboundError {
  readonly code = 'GATEWAYS_FAILED'
  override readonly retryable: boolean

  constructor(options: { what: string; reasons: readonly string[]; retryable: boolean; cause?: unknown }) {
    const { what, reasons, retryable, cause } = options
    super(reasons.length === 0 ? `no gateway is configured for ${what}` : `no gateway has ${what}`, {
      cause,
      details: { reasons },
    })
    this.retryable = retryable
  }
}
