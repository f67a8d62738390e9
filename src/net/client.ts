import type { IncomingHttpHeaders } from 'undici/types/header.js'

export type GuardedSettings = {
  /** Addresses and networks (CIDR) outside the public internet that may still be requested. */
  allow: readonly string[]
  /** For a whole request with its redirects, without the wait for its host, in milliseconds. */
  timeoutMs: number
  /** Between two parts of a body, in milliseconds. */
  idleTimeoutMs: number
  /** For the lookup, the connection and the TLS handshake together, in milliseconds. */
  connectTimeoutMs: number
  /** Most bytes of a decoded body. */
  maxBytes: number
  maxRedirects: number
  /** Concurrent GETs to one host; connections to one origin. */
  perHostConcurrency: number
  /** Most concurrent GETs to one gateway that answers in time without rejections; it starts with `perHostConcurrency`. */
  perGatewayConcurrency: number
  /** Addresses of IPFS gateways, and of Arweave gateways. */
  ipfsGateways: readonly string[]
  arweaveGateways: readonly string[]
  /** GETs that may wait for one host. */
  maxQueuedPerHost: number
  /** Longest wait for a busy or paused host before HostBusyError, in milliseconds. */
  maxWaitMs: number
  /** Concurrent GETs in total. */
  maxInFlight: number
  /** Most connections to one origin for POSTs. */
  postConnections: number
  /** Most origins with open connections, each for GET and for POST. */
  maxOrigins: number
  userAgent: string
}

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
  ifNoneMatch?: string | undefined
  ifModifiedSince?: string | undefined
  /** Called when each request is sent, after the wait for its host; also for redirects. */
  onSend?: (() => void) | undefined
}

export type GuardedAnswer = {
  /** URL of the answer, after redirects. */
  url: string
  /** 200, 203, 204 or 304; everything else is an HttpStatusError. */
  status: number
  headers: IncomingHttpHeaders
  /** Decoded. Empty for 204 and 304. */
  body: Buffer
  contentType: string | undefined
  etag: string | undefined
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

/** The defaults of the settings. */
export const defaultSettings: GuardedSettings = {
  allow: [],
  timeoutMs: 10_000,
  idleTimeoutMs: 5_000,
  connectTimeoutMs: 5_000,
  maxBytes: 10_485_760,
  maxRedirects: 5,
  perHostConcurrency: 8,
  perGatewayConcurrency: 64,
  ipfsGateways: [],
  arweaveGateways: [],
  maxQueuedPerHost: 1_000,
  maxWaitMs: 5_000,
  maxInFlight: 1_000,
  postConnections: 64,
  maxOrigins: 1_000,
  userAgent: 'mintmark',
}
