import { larger } from '../../util/extremes.ts'
import type { Standby } from './standby.ts'

/** Queries sources for the head while another source is read: a stream may lag forever although it keeps sending. */
export type AptosHeadWatch = {
  /** Queries these sources for the head, unless queried recently. Does not wait for the answers. */
  request(standbys: readonly Standby[], signal: AbortSignal): void
  /** The highest head of the last answers; -1 if there was none. */
  reported(): bigint
  /** Returns the same once after each query; otherwise undefined. */
  take(): bigint | undefined
}

export function createAptosHeadWatch({ everyMs }: { everyMs: number }): AptosHeadWatch {
  let reported = -1n
  let isNew = false
  let isRequesting = false
  let requestedAt = Number.NEGATIVE_INFINITY

  async function updateHeads(answers: readonly Promise<{ head: bigint }>[]): Promise<void> {
    const heads = (await Promise.allSettled(answers)).flatMap((a) => (a.status === 'fulfilled' ? [a.value.head] : []))
    reported = heads.reduce(larger, -1n)
    isNew = heads.length > 0
    isRequesting = false
  }

  return {
    request(standbys, signal) {
      if (isRequesting || performance.now() < requestedAt + everyMs) return
      isRequesting = true
      requestedAt = performance.now()
      void updateHeads(standbys.map(({ source }) => source.ledger(signal)))
    },
    reported: () => reported,
    take() {
      if (!isNew) return undefined
      isNew = false
      return reported
    },
  }
}
