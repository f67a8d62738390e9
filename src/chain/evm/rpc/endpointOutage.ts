import type { Log } from '../../../util/log.ts'
import type { Fault } from './parseReply.ts'

/** Logs one line when an endpoint becomes unreachable, and one when it has recovered. */
export type EndpointOutage = {
  /** `isStart`: the endpoint counts as unreachable from this failure on. */
  failed(fault: Fault, isStart: boolean): void
  answered(): void
}

/** Times are of performance.now(). */
export function createEndpointOutage({ log, ...names }: { chain: string; endpoint: string; log: Log }): EndpointOutage {
  let outage: { since: number; failures: number } | undefined
  return {
    failed(fault, isStart) {
      if (outage) outage.failures += 1
      else if (isStart) {
        outage = { since: performance.now(), failures: 1 }
        log.warn({ ...names, class: fault.class, detail: fault.detail.slice(0, 200) }, 'rpc endpoint unreachable')
      }
    },
    answered() {
      if (!outage) return
      const seconds = Math.round((performance.now() - outage.since) / 1_000)
      log.info({ ...names, failures: outage.failures, seconds }, 'rpc endpoint recovered')
      outage = undefined
    },
  }
}
