/** A request that was not answered as hoped: by the API's message, or because nothing answered (status 0). */
export class ApiFault extends Error {
  override readonly name = 'ApiFault'
  readonly status: number
  /** Names the request in the server's log; null: the log has no line of it. */
  readonly requestId: string | null
  /** How long the server asked to be left alone; null: it did not. */
  readonly retryAfterMs: number | null

  constructor(message: string, options: { status: number; requestId?: string | null; retryAfterMs?: number | null }) {
    super(message)
    this.status = options.status
    this.requestId = options.requestId ?? null
    this.retryAfterMs = options.retryAfterMs ?? null
  }
}

/** Whatever was thrown, as the fault of a request. */
export function faultOf(error: unknown): ApiFault {
  return error instanceof ApiFault ? error : new ApiFault(String(error), { status: 0 })
}
