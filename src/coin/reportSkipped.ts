import type { Metrics } from '../metrics/metrics.ts'
import type { Log } from '../util/log.ts'
import type { Network } from './createNetwork.ts'
import type { SkippedWrite } from './decode/decodeCoins.ts'

/** Logs and counts what could not be read. */
export function reportSkipped(options: {
  network: Pick<Network, 'name'>
  metrics: Metrics
  log: Log
}): (skipped: SkippedWrite) => void {
  const { network, metrics, log } = options
  return (skipped) => {
    metrics.aptosSkipped.inc({ network: network.name })
    log.warn({ network: network.name, ...skipped }, 'coin skipped')
  }
}
