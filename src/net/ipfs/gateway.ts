import type { Metrics } from '../../metrics/metrics.ts'
import { joinUrl } from '../../util/urls/endpointUrls.ts'
import { basicAuthorization } from '../../util/urls/secretsOfUrl.ts'
import type { GetOptions, GuardedAnswer, GuardedClient } from '../client.ts'
import { BadUrlError, HostUnavailableError, HttpStatusError, OutboundError, TimeoutError } from '../outboundError.ts'
import type { FetchCar, Verifier } from './createVerifier.ts'
import { ContentMismatchError } from './gatewayError.ts'
import { createGatewayHealth } from './gatewayHealth.ts'
import type { GatewayAnswer, GatewayContent, GatewayNetwork } from './gateways.ts'

export type GatewayOptions = {
  url: string
  network: GatewayNetwork
  client: Pick<GuardedClient, 'get' | 'pausedMs'>
  verifier: Verifier
  maxBytes: number
  metrics?: Pick<Metrics, 'gatewayRequests'>
}

/** One gateway and its health. */
export type Gateway = {
  host: string
  /** Remaining pause of the gateway, in milliseconds. */
  pausedMs(): number
  /** Expected milliseconds; the gateway with the lowest is queried first. */
  score(): number
  /** `fetchCar` gets the blocks for verification, from any gateway: each block is checked against its own CID. */
  get(content: GatewayContent, options: GatewayGetOptions, fetchCar: FetchCar): Promise<GatewayAnswer>
  /** Undefined if this gateway returns no blocks. */
  fetchCar(cid: string, maxBytes: number, signal: AbortSignal | undefined): Promise<Uint8Array | undefined>
}

export type GatewayGetOptions = Pick<GetOptions, 'signal' | 'maxBytes' | 'accept' | 'wants'>

/** A gateway that returns no blocks is not queried for blocks for this time, in milliseconds. */
const noBlocksMs = 3_600_000
const carType = 'application/vnd.ipld.car'

export function createGateway(options: GatewayOptions): Gateway {
  const { network, client, verifier, metrics } = options
  const { base, authorization } = parseGatewayAddress(options.url)
  const health = createGatewayHealth()
  let noBlocksUntil = 0

  async function fetchCar(cid: string, maxBytes: number, signal: AbortSignal | undefined) {
    signal?.throwIfAborted()
    if (performance.now() < noBlocksUntil) return undefined
    try {
      const url = joinUrl(base, `ipfs/${cid}?format=car&dag-scope=entity`)
      const { body, contentType } = await client.get(url, { signal, maxBytes, accept: carType, authorization })
      if (contentType?.startsWith(carType)) return body
      noBlocksUntil = performance.now() + noBlocksMs
    } catch (error) {
      if (signal?.aborted || !(error instanceof OutboundError)) throw error
      // Blocks are only for verification: without them the content is returned unverified.
      const rejected = error instanceof HttpStatusError && !error.retryable && error.status !== 404
      if (rejected) noBlocksUntil = performance.now() + noBlocksMs
    }
    return undefined
  }

  async function fetchIpfs(content: GatewayContent, given: GetOptions, fetchCar: FetchCar): Promise<GatewayAnswer> {
    let answer: GuardedAnswer | undefined
    const { body, verified } = await verifier.fetch({
      gateway: base.host,
      cid: content.id,
      path: content.path,
      maxBytes: given.maxBytes ?? options.maxBytes,
      async fetchFile() {
        answer = await client.get(joinUrl(base, `ipfs/${content.id}${content.path}`), { ...given, authorization })
        return answer.body
      },
      fetchCar,
    })
    return { ...answer!, body, gateway: base.host, verified }
  }

  async function fetchArweave(content: GatewayContent, given: GetOptions): Promise<GatewayAnswer> {
    // A transaction id has 43 characters; any other id is a name, which gateways serve from a subdomain.
    const isId = /^[\w-]{43}$/.test(content.id)
    const url = joinUrl(isId ? base : ownHost(base, content.id), isId ? content.id + content.path : content.path)
    return { ...(await client.get(url, { ...given, authorization })), gateway: base.host, verified: false }
  }

  return {
    host: base.host,
    pausedMs: () => client.pausedMs(base),
    score: health.score,
    fetchCar,
    async get(content, given, fetchBlocks) {
      const began = performance.now()
      health.begin()
      try {
        const answer = await (network === 'ipfs'
          ? fetchIpfs(content, given, fetchBlocks)
          : fetchArweave(content, given))
        health.end('ok', performance.now() - began)
        metrics?.gatewayRequests.inc({ gateway: base.host, outcome: answer.verified ? 'verified' : 'ok' })
        return answer
      } catch (error) {
        health.end(given.signal?.aborted ? 'slow' : blame(error), performance.now() - began)
        metrics?.gatewayRequests.inc({ gateway: base.host, outcome: outcomeOf(error, given.signal) })
        throw error
      }
    },
  }
}

/** A gateway's URL without the `/ipfs` that people add, and without user and password, which are sent as a header. */
function parseGatewayAddress(address: string): { base: URL; authorization: string | undefined } {
  const base = new URL(address)
  const authorization = basicAuthorization(base)
  base.username = ''
  base.password = ''
  base.pathname = base.pathname.replace(/\/+(ipfs\/*)?$/, '')
  return { base, authorization }
}

/** The URL of a name at a gateway. Throws BadUrlError if the gateway is an IP address, which has no subdomains. */
function ownHost(base: URL, name: string): URL {
  const url = URL.parse(`${base.protocol}//${name}.${base.host}/${base.search}`)
  if (!url) throw new BadUrlError('host', `${base.host} has no hosts below it`)
  return url
}

/** Whether the gateway caused the error. 404 and 504 mean that no peer has the content, and show nothing about the gateway. */
function blame(error: unknown): 'failed' | 'neutral' {
  if (error instanceof HttpStatusError)
    return error.status === 429 || (error.status >= 500 && error.status !== 504) ? 'failed' : 'neutral'
  const faults = [HostUnavailableError, TimeoutError, ContentMismatchError]
  return faults.some((fault) => error instanceof fault) ? 'failed' : 'neutral'
}

function outcomeOf(error: unknown, signal: AbortSignal | undefined): string {
  if (signal?.aborted) return 'given_up'
  return error instanceof OutboundError ? error.code.toLowerCase() : 'error'
}
