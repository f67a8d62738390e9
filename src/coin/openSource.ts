import { createFailoverSource } from '../chain/aptos/createFailoverSource.ts'
import { createRestSource } from '../chain/aptos/createRestSource.ts'
import { expectChain } from '../chain/aptos/expectChain.ts'
import type { AptosSource } from '../chain/aptos/source.ts'
import type { NamedSource } from '../chain/aptos/standby.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { ByteBudget } from '../util/byteBudget.ts'
import { ConfigError } from '../util/errors.ts'
import type { Log } from '../util/log.ts'
import { wantedChanges } from './decode/decodeCoins.ts'
import type { NetworkSettings } from './networkSettings.ts'

/** Timeout of a REST response. */
const timeoutMs = 20_000

/** Initial pause of a failed source, as a multiple of the silence. */
const pauseSilences = 3

export type OpenSourceOptions = {
  /** Of the network. */
  name: string
  settings: NetworkSettings
  /** The chain that the source must serve; undefined: not known yet. */
  chainId: () => number | undefined
  /** Byte budget of all node responses in progress in this process. */
  budget?: ByteBudget
  metrics: Metrics
  log: Log
}

/** The configured sources: the stream, the REST API, or both. With both, the stream is read while it is complete. */
export async function openSource({
  name: network,
  settings,
  chainId,
  budget,
  metrics,
  ...options
}: OpenSourceOptions): Promise<AptosSource> {
  const { token, pollIntervalMs, silenceMs } = settings
  const log = options.log.child({ network })
  const common = { token, wanted: wantedChanges, log }
  const opened: NamedSource[] = []
  const firstVersion = BigInt(settings.startVersion)
  if (settings.grpc !== undefined) {
    // Imported on demand: a server without a stream starts faster without gRPC.
    const { createGrpcSource } = await import('../chain/aptos/createGrpcSource.ts')
    opened.push({
      name: 'grpc',
      source: createGrpcSource({ ...common, address: settings.grpc, silenceMs, firstVersion }),
    })
  }
  if (settings.rest !== undefined)
    opened.push({
      name: 'rest',
      source: createRestSource({
        ...common,
        base: settings.rest,
        pollIntervalMs,
        timeoutMs,
        ...(budget && { budget }),
      }),
    })
  const sources = opened.map(({ name, source }) => ({ name, source: expectChain(source, { name, network, chainId }) }))
  const [first, second] = sources
  if (!first) throw new ConfigError(`aptos.${network}: needs grpc or rest`)
  if (!second) return first.source
  return createFailoverSource({
    sources,
    chainId,
    pauseMs: pauseSilences * silenceMs,
    onFault: ({ code }) => metrics.aptosFaults.inc({ network, code }),
    log,
  })
}
