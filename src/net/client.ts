import type { IncomingHttpHeaders } from 'undici/types/header.js'

export type GuardedSettings = {
  /** Addresses and networks (CIDR) outside the public internet that may be requested nevertheless. */
  allow: readonly string[]
  /** For a whole request with its redirects, without the wait for its turn at the host, in milliseconds. */
  timeoutMs: number
  /** Between two pieces of a body, in milliseconds. */
  idleTimeoutMs: number
  /** For the lookup, the connection and the TLS handshake together, in milliseconds. */
  connectTimeoutMs: number
  /** Most bytes of a body once decoded. */
  maxBytes: number
  maxRedirects: number
  /** GETs in progress at once to one host; connections to one origin. */
  perHostConcurrency: number
  /** Most GETs in progress at once to one gateway that answers in time and does not refuse; it begins with `perHostConcurrency`. */
  perGatewayConcurrency: number
  /** Addresses of gateways of IPFS, and of Arweave. */
  ipfsGateways: readonly string[]
  arweaveGateways: readonly string[]
  /** GETs that may wait for one host. */
  maxQueuedPerHost: number
  /** Longest wait for a busy or paused host before HostBusyError, in milliseconds. */
  maxWaitMs: number
  /** GETs in progress at once in all. */
  maxInFlight: number
  /** Connections to one origin that POSTs may hold. */
  postConnections: number
  /** Origins with open connections at once, for GET and for POST. */
  maxOrigins: number
  userAgent: string
}

export type GetOptions = {
  signal?: AbortSignal | undefined
  /** Most bytes of the body once decoded, instead of the setting. */
  maxBytes?: number | undefined
  timeoutMs?: number | undefined
  accept?: string | undefined
  /**
   * Called with the first `bodyStartBytes` of a longer body, and its size where the host announced it: false ends the transfer with
   * UnwantedBodyError.
   */
  wants?: ((start: Buffer, size: number | undefined) => boolean) | undefined
  /** Sent to the origin of the address that is requested, and to none that it redirects to. */
  authorization?: string | undefined
  ifNoneMatch?: string | undefined
  ifModifiedSince?: string | undefined
  /** Called as each request is sent, after the wait for its host; also for those to which redirects lead. */
  onSend?: (() => void) | undefined
}

export type GuardedAnswer = {
  /** Where the answer came from, after redirects. */
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
  /** Called once the connection is open, right before the first byte is sent; false: nothing is sent, and NotSentError is thrown. */
  maySend?: (() => boolean) | undefined
}

export type PostAnswer = {
  status: number
  headers: IncomingHttpHeaders
  /** The first kilobyte of the answer, as it came. */
  bodyStart: Buffer
  /** From the call to the end of that kilobyte. */
  ms: number
}

/** All requests to untrusted addresses go through this client. Every rejection is an OutboundError or the signal's reason. */
export type GuardedClient = {
  /** Follows redirects, each hop checked; waits for its turn at the host. HostBusyError: nothing was sent. */
  get(url: string | URL, options?: GetOptions): Promise<GuardedAnswer>
  /**
   * Sends one POST at once: no redirect, no retry, and no limit but that of connections, as the caller decides when to send. Every
   * status is an answer. `headers` in lower case, never `host`.
   */
  post(
    url: string | URL,
    body: string | Uint8Array,
    headers: Record<string, string>,
    options?: PostOptions,
  ): Promise<PostAnswer>
  /** How long the host of a URL is paused, in milliseconds; 0 if it may be queried. */
  pausedMs(url: string | URL): number
  /** Ends what is in progress. */
  close(): Promise<void>
}

/** The settings where the configuration has no others. */
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
