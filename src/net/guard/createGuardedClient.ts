import type { Metrics } from '../../metrics/metrics.ts'
import { ConfigError } from '../../util/errors.ts'
import type { Log } from '../../util/log.ts'
import type { GuardedClient } from '../client.ts'
import { type AllowedNetworks, parseNetwork } from './address.ts'
import { checkUrl } from './checkUrl.ts'
import { createConnector } from './connector.ts'
import { createGuardedGet } from './createGuardedGet.ts'
import { createGuardedPost } from './createGuardedPost.ts'
import { createGatewayOf } from './gatewayOf.ts'
import { createHostRateLimiter } from './hostRateLimiter.ts'
import { createMeter } from './meter.ts'
import { defaultSettings, type GuardedSettings } from './outboundSettings.ts'
import { createPools } from './pools.ts'
import { createResolver, type Resolve } from './resolver.ts'

export type GuardedClientOptions = {
  /** Omitted settings: `defaultSettings`. */
  settings?: Partial<GuardedSettings>
  metrics?: Metrics
  log?: Log
  /** Replaces DNS. */
  resolve?: Resolve
}

export function createGuardedClient(options: GuardedClientOptions = {}): GuardedClient {
  const settings: GuardedSettings = { ...defaultSettings, ...options.settings }
  const connect = createConnector({
    allow: networks(settings.allow),
    resolve: options.resolve ?? createResolver(),
    timeoutMs: settings.connectTimeoutMs,
    ...(options.log && { log: options.log }),
  })
  const { maxOrigins, perHostConcurrency: perHost, perGatewayConcurrency: most } = settings
  const gatewayOf = createGatewayOf({ ipfs: settings.ipfsGateways, arweave: settings.arweaveGateways })
  const getConnections = (origin: string) =>
    gatewayOf(new URL(origin).host) === undefined ? perHost : Math.max(perHost, most)
  const getPools = createPools({ connect, connections: getConnections, maxOrigins })
  const postPools = createPools({ connect, connections: () => settings.postConnections, maxOrigins })
  const hostRateLimiter = createHostRateLimiter({
    perHost,
    gateways: { of: gatewayOf, most },
    inFlight: settings.maxInFlight,
    maxQueued: settings.maxQueuedPerHost,
    maxWaitMs: settings.maxWaitMs,
    ...(options.log && { log: options.log }),
  })

  return {
    get: createGuardedGet({ settings, pools: getPools, hostRateLimiter, meter: createMeter(options.metrics, 'get') }),
    post: createGuardedPost({ settings, pools: postPools, meter: createMeter(options.metrics, 'post') }),
    pausedMs: (url) => hostRateLimiter.pausedMs(checkUrl(url).host),
    async close() {
      hostRateLimiter.close()
      await Promise.all([getPools.close(), postPools.close()])
    },
  }
}

function networks(allow: readonly string[]): AllowedNetworks {
  return allow.map((text) => {
    const network = parseNetwork(text)
    if (!network) throw new ConfigError(`outbound.allow: "${text}" is neither an address nor a network`)
    return network
  })
}
