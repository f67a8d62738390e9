import type { QueuedWebhook } from '../attempt/loadWebhooks.ts'
import { type DeliveryEvent, type DeliveryState, nextDelivery } from './deliveryState.ts'

/** The send queue, or probed stream, that took attempts. `held`: how many of them are not settled; kept by `Claims`. */
export type ClaimOwner = { held: number; readonly stream: { readonly partition: number } }

export type AttemptName = Pick<QueuedWebhook, 'position' | 'replay' | 'failures'>

/** The states (`DeliveryState`) of the attempts that this process has, by delivery and number of the attempt; all others are queued. */
export type Claims<O extends ClaimOwner> = {
  /**
   * Runs `work`, which reads rows of the queue and takes attempts from them. Attempts that are settled meanwhile cannot be taken
   * until all such work has ended: a row may have been read before its attempt was settled.
   */
  reading<T>(work: () => Promise<T>): Promise<T>
  /** Loads an attempt for its owner. False: this process has it already. */
  take(owner: O, attempt: AttemptName): boolean
  /** Changes the state of an attempt that was taken. Throws a TypeError if its state does not allow the event, an error of the caller. */
  move(attempt: AttemptName, event: Exclude<DeliveryEvent, 'load' | 'age'>): void
  /** Whether attempts of this partition are in progress, or answered and not settled. */
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
          // The event `age`: without an entry an attempt is queued.
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
      if (event === 'cut' || event === 'settle') count(owner.stream.partition, -1)
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
