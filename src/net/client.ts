import type { IncomingHttpHeaders } from 'undici/types/header.js'

export type GetOptions = {
  signal?: AbortSignal | undefined
  /** Most bytes of the decoded body, instead of the setting. */
  maxBytes?: number | undefined
  timeoutMs?: number | undefined
  accept?: string | undefined
  /**
   * Called with the first `bodyStartBytes` of a longer body, and its size if the host announced it. false ends the transfer with UnwantedBodyError.
   */
  wants?: ((start: Buffer, size: number | undefined) => boolean) | undefined
  /** Sent to the requested URL's origin, and to no origin that it redirects to. */
  authorization?: string | undefined
  /** Called when each request is sent, after the wait for its host; also for redirects. */
  onSend?: (() => void) | undefined
}

export type GuardedAnswer = {
  /** URL of the answer, after redirects. */
  url: string
  /** 200, 203 or 204; everything else is an HttpStatusError. */
  status: number
  headers: IncomingHttpHeaders
  /** Decoded. Empty for 204. */
  body: Buffer
  contentType: string | undefined
}

export type PostOptions = {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  /** Called once the connection is open, before the first byte is sent; false: nothing is sent, and NotSentError is thrown. */
  maySend?: (() => boolean) | undefined
}

export type PostAnswer = {
  status: number
  headers: IncomingHttpHeaders
  /** The first kilobyte of the answer, as received. */
  bodyStart: Buffer
  /** From the call to the end of that kilobyte. */
  ms: number
}

/** All requests to untrusted URLs go through this client. Every rejection is an OutboundError or the signal's reason. */
export type GuardedClient = {
  /** Follows redirects and checks each hop; waits for a slot at the host. HostBusyError: nothing was sent. */
  get(url: string | URL, options?: GetOptions): Promise<GuardedAnswer>
  /**
   * Sends one POST at once, without redirects or retries. Only connections are limited, as the caller decides when to send. Every status is an
   * answer. `headers` in lower case, never `host`.
   */
  post(
    url: string | URL,
    body: string | Uint8Array,
    headers: Record<string, string>,
    options?: PostOptions,
  ): Promise<PostAnswer>
  /** Remaining pause of a URL's host, in milliseconds; 0 if it may be queried. */
  pausedMs(url: string | URL): number
  /** Ends the requests in progress. */
  close(): Promise<void>
}
