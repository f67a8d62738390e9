import { createGrpcSource } from '../chain/aptos/createGrpcSource.ts'
import { createRestSource } from '../chain/aptos/createRestSource.ts'
import type { AptosSource } from '../chain/aptos/source.ts'
import { ConfigError } from '../errors.ts'
import type { Log } from '../log.ts'
import { coinInfoPrefix } from './decodeCoins.ts'
import type { NetworkSettings } from './networkSettings.ts'

/** Longest wait for one answer of a REST source. */
const timeoutMs = 20_000

/** What the settings name: the stream, the REST API, or the stream with the head from the REST API. */
export function openSource(name: string, settings: NetworkSettings, log: Log): AptosSource {
  const { token, pollIntervalMs, silenceMs } = settings
  const common = { token, resource: coinInfoPrefix, log: log.child({ network: name }) }
  const rest =
    settings.rest === undefined
      ? undefined
      : createRestSource({ ...common, base: settings.rest, pollIntervalMs, timeoutMs })
  const grpc =
    settings.grpc === undefined ? undefined : createGrpcSource({ ...common, address: settings.grpc, silenceMs })
  if (rest && grpc)
    return {
      ...grpc,
      ledger: rest.ledger,
      async close() {
        await Promise.all([grpc.close(), rest.close()])
      },
    }
  const source = grpc ?? rest
  if (!source) throw new ConfigError(`aptos.${name}: needs grpc or rest`)
  return source
}
