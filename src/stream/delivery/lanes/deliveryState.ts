/**
 * What can happen to a webhook, as the process that delivers it has it in memory:
 *
 *     queued ─load→ loaded ─send→ under way ─answer→ answered ─settle→ settled ─age→ queued
 *                      └─forget→ queued  └─cut→ queued
 *
 * - queued: only its row in the queue says that it is owed. Also what became of it after it was settled: its row is gone, for
 *   it was delivered or has failed for good, or names when it is sent again. That attempt is another one, with its own state.
 * - loaded: its body is in memory, in the lane that took it.
 * - under way: it was sent, and its receiver has not answered.
 * - answered: what the attempt came to waits to be written to the ledger.
 * - settled: the ledger has it. It stays known while reads go on that may have begun before: their rows still show it as owed.
 *
 * Only a queued one is loaded from a row that was read. So nothing that is under way, or that is not settled yet, is sent
 * again: neither after the lease was lost and found, nor after the database was away.
 */
export type DeliveryState = 'queued' | 'loaded' | 'under way' | 'answered' | 'settled'

export type DeliveryEvent =
  | 'load'
  /** Out of memory again, unsent. */
  | 'forget'
  | 'send'
  /** Cut off by the end of this process: the process that delivers next makes the attempt again. */
  | 'cut'
  /** The attempt came to something, be it that nobody answered in time. */
  | 'answer'
  | 'settle'
  /** Every read that began before it was settled is over. */
  | 'age'

const transitions: Record<DeliveryState, Partial<Record<DeliveryEvent, DeliveryState>>> = {
  queued: { load: 'loaded' },
  loaded: { send: 'under way', forget: 'queued' },
  'under way': { answer: 'answered', cut: 'queued' },
  answered: { settle: 'settled' },
  settled: { age: 'queued' },
}

/** The state of an attempt after an event; undefined where this cannot happen to it. */
export function nextDelivery(state: DeliveryState, event: DeliveryEvent): DeliveryState | undefined {
  return transitions[state][event]
}
