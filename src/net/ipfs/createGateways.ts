import { CID } from 'multiformats/cid'
import type { Metrics } from '../../metrics/metrics.ts'
import { smallest } from '../../util/extremes.ts'
import type { Log } from '../../util/log.ts'
import type { GuardedAnswer, GuardedClient } from '../client.ts'
import { HostBusyError, HttpStatusError, OutboundError, TooLargeError, UnwantedBodyError } from '../outboundError.ts'
import type { FetchCar, Verifier } from './createVerifier.ts'
import { codes } from './digest.ts'
import { firstSuccess } from './firstSuccess.ts'
import { createGateway, type Gateway, type GatewayGetOptions } from './gateway.ts'
import { ContentMissingError, GatewaysFailedError } from './gatewayError.ts'
import type { GatewayAnswer, GatewayContent, GatewayNetwork, Gateways } from './gateways.ts'

export type GatewaysOptions = {
  client: Pick<GuardedClient, 'get' | 'pausedMs'>
  /** Gateway URLs: `https://host`, which serves /ipfs/<cid>. */
  ipfs: readonly string[]
  /** Gateway URLs, which serve /<id>. */
  arweave: readonly string[]
  /** If a gateway does not answer within this time, the next one is queried as well, in milliseconds. */
  patienceMs?: number
  /** Most bytes of a body, unless a call has another limit. */
  maxBytes?: number
  metrics?: Pick<Metrics, 'gatewayRequests'>
  log?: Log
}

type Options = GatewayGetOptions

export function createGateways(options: GatewaysOptions): Gateways {
  const { client, patienceMs = 3_000, maxBytes = 10_485_760, metrics, log } = options
  let loading: Promise<Verifier> | undefined
  /** Loads the verifier with the first IPFS content: without its packages a server starts faster. */
  function loadVerifier(): Promise<Verifier> {
    loading ??= import('./createVerifier.ts').then(({ createVerifier }) => createVerifier())
    return loading
  }
  const verifier: Verifier = { fetch: async (input) => (await loadVerifier()).fetch(input) }
  const open = (urls: readonly string[], network: GatewayNetwork) =>
    urls.map((url) => createGateway({ url, network, client, verifier, maxBytes, ...(metrics && { metrics }) }))
  const gateways: Record<GatewayNetwork, Gateway[]> = {
    ipfs: open(options.ipfs, 'ipfs'),
    arweave: open(options.arweave, 'arweave'),
  }
  // Sorting is stable: gateways without measurements keep the order of the configuration.
  const inOrder = (network: GatewayNetwork) =>
    gateways[network]
      .map((gateway) => ({ gateway, paused: gateway.pausedMs() > 0, score: gateway.score() }))
      .sort((a, b) => Number(a.paused) - Number(b.paused) || a.score - b.score)
      .map(({ gateway }) => gateway)

  const fetchCarWith =
    (signal: AbortSignal | undefined): FetchCar =>
    async (cid, limit) => {
      for (const gateway of inOrder('ipfs')) {
        const bytes = await gateway.fetchCar(cid, limit, signal)
        if (bytes) return bytes
      }
      return undefined
    }

  /** Gets the token's own URL, at a gateway that is not configured and gets no other requests. */
  async function fromOriginal(content: GatewayContent, url: string, given: Options): Promise<GatewayAnswer> {
    const gateway = new URL(url).host
    if (content.network === 'arweave') return { ...(await client.get(url, given)), gateway, verified: false }
    let answer: GuardedAnswer | undefined
    const { body, verified } = await verifier.fetch({
      gateway,
      cid: content.id,
      path: content.path,
      maxBytes: given.maxBytes ?? maxBytes,
      async fetchFile() {
        answer = await client.get(url, given)
        return answer.body
      },
      fetchCar: fetchCarWith(given.signal),
    })
    return { ...answer!, body, gateway, verified }
  }

  return {
    order: (network) => inOrder(network).map(({ host }) => host),
    async get(content, given = {}) {
      const inline = content.network === 'ipfs' && content.path === '' ? inlineContent(content.id) : undefined
      if (inline) return inline
      // Loaded before gateways are queried, so that the time does not count as their response time.
      if (content.network === 'ipfs') await loadVerifier()
      const ways = inOrder(content.network).map(
        (gateway) => (signal: AbortSignal) => gateway.get(content, { ...given, signal }, fetchCarWith(signal)),
      )
      const { original } = content
      if (original) ways.push((signal) => fromOriginal(content, original, { ...given, signal }))
      const result = await firstSuccess(ways, { patienceMs, signal: given.signal, stopOn: isFinal })
      if (result.ok) return result.value
      log?.debug(
        { network: content.network, id: content.id, reasons: result.errors.map(String) },
        'ipfs gateways failed',
      )
      throw failureOf(content, result.errors)
    },
  }
}

/** Whether another gateway cannot change an error: content is the same at all of them. */
function isFinal(error: unknown): boolean {
  if (error instanceof TooLargeError) return error.what === 'body'
  return error instanceof ContentMissingError || error instanceof UnwantedBodyError
}

function failureOf(content: GatewayContent, errors: readonly unknown[]): Error {
  const busy = errors.filter((error) => error instanceof HostBusyError)
  if (errors.length > 0 && busy.length === errors.length) {
    const retryAfterMs = smallest(busy.map((error) => error.retryAfterMs))
    return new HostBusyError({ host: `every ${content.network} gateway`, retryAfterMs, detail: 'is paused' })
  }
  // Content that no gateway has now may be pinned later.
  const passes = (error: unknown) =>
    error instanceof HttpStatusError || (error instanceof OutboundError && error.retryable)
  return new GatewaysFailedError({
    what: `${content.network}://${content.id}${content.path}`.slice(0, 200),
    reasons: errors.map((error) => (error instanceof Error ? error.message : String(error))),
    retryable: errors.some(passes),
    cause: errors.find((error) => !(error instanceof HostBusyError)),
  })
}

/** The content of a CID with the identity hash, which contains it; undefined for other CIDs. */
function inlineContent(id: string): GatewayAnswer | undefined {
  if (!/^baf[ky]qa/.test(id)) return undefined
  const { multihash, code } = CID.parse(id)
  if (multihash.code !== codes.identity || code !== codes.raw) return undefined
  return {
    url: `ipfs://${id}`,
    status: 200,
    headers: {},
    body: Buffer.from(multihash.digest),
    contentType: undefined,
    gateway: 'none',
    verified: true,
  }
}
