import type { IncomingHttpHeaders } from 'undici/types/header.js'

export type GuardedSettings = {
  /** Addresses and networks (CIDR) outside the public internet that may be asked all the same. */
  allow: readonly string[]
  /** For a request in all, its redirects included, the waiting for its host not, in milliseconds. */
  timeoutMs: number
  /** Between two pieces of a body, in milliseconds. */
  idleTimeoutMs: number
  /** For the lookup, the connection and the TLS handshake together, in milliseconds. */
  connectTimeoutMs: number
  /** Of a body once decoded. */
  maxBytes: number
  maxRedirects: number
  /** GETs under way at once to one host; connections to one origin. */
  perHostConcurrency: number
  /** The same to one gateway while it answers in time and does not refuse; each begins with `perHostConcurrency`. */
  perGatewayConcurrency: number
  /** Addresses of gateways of IPFS, and of Arweave. */
  ipfsGateways: readonly string[]
  arweaveGateways: readonly string[]
  /** GETs that may wait for one host. */
  maxQueuedPerHost: number
  /** Longest wait for a busy or paused host before HostBusyError, in milliseconds. */
  maxWaitMs: number
  /** GETs under way at once in all. */
  maxInFlight: number
  /** Connections to one origin that POSTs may hold. */
  postConnections: number
  /** Origins with open connections at once, for GET and for POST. */
  maxOrigins: number
  userAgent: string
}

export type GetOptions = {
  signal?: AbortSignal | undefined
  /** Instead of the setting: of the body once decoded. */
  maxBytes?: number | undefined
  timeoutMs?: number | undefined
  accept?: string | undefined
  /** Asked of the first `bodyStartBytes` of a body that is longer: false ends its transfer with UnwantedBodyError. */
  wants?: ((start: Buffer) => boolean) | undefined
  /** Sent to the origin of the address that is asked for, and to none that it redirects to. */
  authorization?: string | undefined
  ifNoneMatch?: string | undefined
  ifModifiedSince?: string | undefined
  /** Called as each request is sent, those to which a redirect leads too: the waiting for its host is over. */
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
  lastModified: string | undefined
}

export type PostOptions = { signal?: AbortSignal | undefined; timeoutMs?: number | undefined }

export type PostAnswer = {
  status: number
  headers: IncomingHttpHeaders
  /** The first kilobyte of the answer, as it came. */
  bodyStart: Buffer
  /** From the call to the end of that kilobyte. */
  ms: number
}

/** The one door to addresses that strangers wrote. Every rejection is an OutboundError or the signal's reason. */
export type GuardedClient = {
  /** Follows redirects, each hop checked; waits for its turn at the host. HostBusyError: nothing was sent. */
  get(url: string | URL, options?: GetOptions): Promise<GuardedAnswer>
  /**
   * One POST to one address at once: no redirect, no retry, no politeness beyond the bound of connections: whoever
   * delivers decides when. Every status is an answer. `headers` in lower case, never `host`.
   */
  post(
    url: string | URL,
    body: string | Uint8Array,
    headers: Record<string, string>,
    options?: PostOptions,
  ): Promise<PostAnswer>
  /** How long the host of a URL is left alone, in milliseconds; 0 where it may be asked. */
  pausedMs(url: string | URL): number
  /** Ends what is under way. */
  close(): Promise<void>
}

/** Settings that serve most: what the configuration does not name. */
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
