import { z } from 'zod'
import { allowing, wholeFrom } from '../../util/allowed.ts'
import { httpUrl } from '../../util/urls/endpointUrls.ts'
import { parseNetwork } from './address.ts'

/** The section `outbound` of the configuration. */
export const outboundSettings = z.strictObject({
  allow: z
    .array(
      z
        .string()
        .refine(
          (text) => parseNetwork(text) !== undefined,
          'is neither an IP address nor a network; allowed: 10.0.0.1 or 10.0.0.0/8, for example',
        ),
    )
    .default([])
    .describe(
      'Private addresses and networks that token URIs, images and webhooks may reach (SSRF allow list); link-local addresses and metadata services stay blocked.',
    ),
  ipfsGateways: z
    .array(httpUrl)
    .default(['https://ipfs.io', 'https://dweb.link', 'https://4everland.io'])
    .describe('IPFS gateways; the fastest healthy one is used first.'),
  arweaveGateways: z
    .array(httpUrl)
    .default(['https://arweave.net', 'https://ar-io.dev'])
    .describe('Arweave gateways; the fastest healthy one is used first.'),
  timeoutMs: wholeFrom(100, 600_000)
    .default(10_000)
    .describe('Timeout of one request with its redirects, in milliseconds.'),
  idleTimeoutMs: wholeFrom(50, 600_000)
    .default(5_000)
    .describe('Timeout between two chunks of a response, in milliseconds.'),
  connectTimeoutMs: wholeFrom(50, 600_000)
    .default(5_000)
    .describe('Timeout of DNS lookup, connection and TLS handshake together, in milliseconds.'),
  maxBytes: wholeFrom(1, 1_073_741_824).default(10_485_760).describe('Maximum response size, in decoded bytes.'),
  maxRedirects: wholeFrom(0, 20).default(5).describe('Maximum redirects of one request; each target is checked.'),
  perHostConcurrency: wholeFrom(1, 10_000).default(8).describe('Maximum concurrent requests to one host.'),
  perGatewayConcurrency: wholeFrom(1, 10_000)
    .default(64)
    .describe(
      'Maximum concurrent requests to one IPFS gateway or Arweave gateway. It starts with `perHostConcurrency`, grows with responses, and halves after each rejection or timeout.',
    ),
  maxInFlight: wholeFrom(1, 100_000)
    .default(1_000)
    .describe('Maximum concurrent requests to all hosts; webhooks are not counted.'),
  userAgent: allowing('1 to 200 characters of ASCII', z.string().regex(/^[\x20-\x7e]{1,200}$/))
    .default('mintmark')
    .describe('User-Agent of outbound requests; include a way to contact you.'),
})

export type GuardedSettings = z.output<typeof outboundSettings> & {
  /** GETs that may wait for one host. */
  maxQueuedPerHost: number
  /** Longest wait for a busy or paused host before HostBusyError, in milliseconds. */
  maxWaitMs: number
  /** Most connections to one origin for POSTs. */
  postConnections: number
  /** Most origins with open connections, each for GET and for POST. */
  maxOrigins: number
}

export const defaultSettings: GuardedSettings = {
  ...outboundSettings.parse({}),
  maxQueuedPerHost: 1_000,
  maxWaitMs: 5_000,
  postConnections: 64,
  maxOrigins: 1_000,
}
