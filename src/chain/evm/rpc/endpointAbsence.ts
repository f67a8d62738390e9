import type { Log } from '../../../util/log.ts'
import type { Fault } from './parseReply.ts'

/** Logs one line when an endpoint becomes unreachable, and one when it has recovered. */
export type EndpointAbsence = {
  /** `begins`: the endpoint counts as unreachable from this failure on. */
  failed(fault: Fault, begins: boolean): void
  answered(): void
}

/** Times are of performance.now(). */
export function createEndpointAbsence({
  log,
  ...names
}: {
  chain: string
  endpoint: string
  log: Log
}): EndpointAbsence {
  let away: { since: number; failures: number } | undefined
  return {
    failed(fault, begins) {
      if (away) away.failures += 1
      else if (begins) {
        away = { since: performance.now(), failures: 1 }
        log.warn({ ...names, class: fault.class, detail: fault.detail.slice(0, 200) }, 'rpc endpoint unreachable')
      }
    },
    answered() {
      if (!away) return
      const seconds = Math.round((performance.now() - away.since) / 1_000)
      log.info({ ...names, failures: away.failures, seconds }, 'rpc endpoint recovered')
      away = undefined
    },
  }
}
