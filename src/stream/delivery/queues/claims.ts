import type { QueuedWebhook } from '../attempt/loadWebhooks.ts'
import { type DeliveryEvent, type DeliveryState, nextDelivery } from './deliveryState.ts'

/**
 * The send queue or probed stream that owns attempts. `held`: number of its unsettled attempts, maintained by `Claims`.
 */
export type ClaimOwner = { held: number; readonly stream: { readonly partition: number } }

export type AttemptName = Pick<QueuedWebhook, 'position' | 'replay' | 'failures'>

/** States (`DeliveryState`) of this process's attempts, by delivery and attempt number; all others are queued. */
export type Claims<O extends ClaimOwner> = {
  /**
   * Runs `work`, which reads queue rows and takes attempts from them. Attempts settled meanwhile cannot be taken until
   * all such work has ended, as their row may have been read before.
   */
  reading<T>(work: () => Promise<T>): Promise<T>
  /** Takes an attempt for its owner. False: this process already has it. */
  take(owner: O, attempt: AttemptName): boolean
  /**
   * Changes the state of a taken attempt. Throws a TypeError if the state does not allow the event, which is a bug of
   * the caller.
   */
  move(attempt: AttemptName, event: Exclude<DeliveryEvent, 'load' | 'age'>): void
  /** Whether a partition has running or unsettled attempts. */
  busy(partition: number): boolean
}

export function createClaims<O extends ClaimOwner>(): Claims<O> {
  const claims = new Map<string, { state: DeliveryState; owner: O }>()
  const unsettled = new Map<number, number>()
  let settled: string[] = []
  let reads = 0

  function count(partition: number, change: number): void {
    unsettled.set(partition, (unsettled.get(partition) ?? 0) + change)
  }

  return {
    async reading(work) {
      reads += 1
      try {
        return await work()
      } finally {
        reads -= 1
        if (reads === 0) {
          // The event `age`: an attempt without an entry is queued.
          for (const name of settled) claims.delete(name)
          settled = []
        }
      }
    },
    take(owner, attempt) {
      const name = nameOf(attempt)
      const state = nextDelivery(claims.get(name)?.state ?? 'queued', 'load')
      if (!state) return false
      claims.set(name, { state, owner })
      owner.held += 1
      return true
    },
    move(attempt, event) {
      const name = nameOf(attempt)
      const entry = claims.get(name)
      const next = nextDelivery(entry?.state ?? 'queued', event)
      if (!entry || !next) throw new TypeError(`attempt ${name} is ${entry?.state ?? 'queued'}: it cannot ${event}`)
      entry.state = next
      const { owner } = entry
      if (event === 'send') count(owner.stream.partition, 1)
      if (event === 'abort' || event === 'settle') count(owner.stream.partition, -1)
      if (next !== 'queued' && next !== 'settled') return
      owner.held -= 1
      if (next === 'settled' && reads > 0) settled.push(name)
      else claims.delete(name)
    },
    busy: (partition) => (unsettled.get(partition) ?? 0) > 0,
  }
}

function nameOf({ position, replay, failures }: AttemptName): string {
  return `${position}:${replay}:${failures}`
}
