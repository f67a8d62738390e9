import { z } from 'zod'
import { allowing } from '../../util/allowed.ts'
import { httpUrl } from '../../util/urls/endpointUrls.ts'
import { parseNetwork } from './address.ts'

/** The part `outbound` of the configuration. */
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
      'Addresses and networks outside the public internet that token URIs, images and webhooks may lead to; link-local and metadata services stay closed.',
    ),
  ipfsGateways: z
    .array(httpUrl)
    .default(['https://ipfs.io', 'https://dweb.link', 'https://4everland.io'])
    .describe('IPFS gateways, the fastest healthy one asked first.'),
  arweaveGateways: z
    .array(httpUrl)
    .default(['https://arweave.net', 'https://ar-io.dev'])
    .describe('Arweave gateways, the fastest healthy one asked first.'),
  timeoutMs: z
    .int()
    .min(100)
    .max(600_000)
    .default(10_000)
    .describe('Longest time of one request with its redirects, in milliseconds.'),
  idleTimeoutMs: z
    .int()
    .min(50)
    .max(600_000)
    .default(5_000)
    .describe('Longest wait between two pieces of an answer, in milliseconds.'),
  connectTimeoutMs: z
    .int()
    .min(50)
    .max(600_000)
    .default(5_000)
    .describe('Longest wait for the lookup, connection and TLS handshake together, in milliseconds.'),
  maxBytes: z.int().min(1).max(1_073_741_824).default(10_485_760).describe('Largest answer, in bytes once decoded.'),
  maxRedirects: z.int().min(0).max(20).default(5).describe('Redirects followed, each target checked anew.'),
  perHostConcurrency: z.int().min(1).max(10_000).default(8).describe('Requests under way at once to one host.'),
  perGatewayConcurrency: z
    .int()
    .min(1)
    .max(10_000)
    .default(64)
    .describe(
      'Requests under way at once to one gateway at most: it begins with `perHostConcurrency`, has more while it answers, and half after each refusal or timeout.',
    ),
  maxInFlight: z
    .int()
    .min(1)
    .max(100_000)
    .default(1_000)
    .describe('Requests under way at once to all hosts, webhooks apart.'),
  userAgent: allowing('1 to 200 characters of ASCII', z.string().regex(/^[\x20-\x7e]{1,200}$/))
    .default('mintmark')
    .describe('User-Agent of requests to strangers; name a way to reach you.'),
})
