/**
 * The states of a webhook. Its row in the ledger has a status (`WebhookStatus`), which these files of `stream/ledger/` change:
 *
 *     enqueued → pending                                          ledgerEntry.ts
 *     pending ─an attempt gets a 2xx→ delivered                   writeAttempts.ts
 *     pending ─the last attempt of the schedule fails→ failed     settleAttempts.ts
 *     pending ─a reorg removes its block→ dropped                 retractWebhooks.ts
 *     pending ─its block returned, before its retraction was delivered→ dropped   retractWebhooks.ts
 *     pending ─its stream is terminated or deleted→ dropped       streamState.ts
 *     failed, dropped ─a replay, or an attempt that was in flight, gets a 2xx→ delivered   settleAttempts.ts
 *
 * A pending webhook has a row in the queue, with the time of its next retry; so has each replay. A reorg marks every webhook of the blocks that it removes
 * as retracted, with any status. Retracted webhooks are not replayed. Retention deletes webhooks that are not pending (removeSettled.ts).
 *
 * The process that delivers the webhook has a state for each of its attempts in memory (`Claims`):
 *
 *     queued ─load→ loaded ─send→ in flight ─complete→ completed ─settle→ settled ─age→ queued
 *                      └─forget→ queued  └─abort→ queued
 *
 * - queued: the process has no state for the attempt. A pending webhook is in the queue.
 * - loaded: the body is in memory, in a send queue.
 * - in flight: the webhook was sent, and its receiver has not responded.
 * - completed: the attempt has an outcome, which is not in the ledger yet.
 * - settled: the ledger has the outcome. The state stays until every read that may have begun earlier has ended, as such a read still shows the attempt as
 *   pending.
 *
 * Only a queued attempt is loaded. So an attempt that is in flight or not settled is never repeated, even if the process lost its lease and got it again, or
 * the database was unreachable. A retry is another attempt with its own state.
 */
export type DeliveryState = 'queued' | 'loaded' | 'in flight' | 'completed' | 'settled'

export type DeliveryEvent =
  | 'load'
  /** The body is removed from memory, unsent. */
  | 'forget'
  | 'send'
  /** Shutdown ends the attempt: the process that delivers next repeats it. */
  | 'abort'
  /** The attempt has an outcome, which may be a timeout. */
  | 'complete'
  | 'settle'
  /** Every read that began before the attempt was settled has ended. */
  | 'age'

const transitions: Record<DeliveryState, Partial<Record<DeliveryEvent, DeliveryState>>> = {
  queued: { load: 'loaded' },
  loaded: { send: 'in flight', forget: 'queued' },
  'in flight': { complete: 'completed', abort: 'queued' },
  completed: { settle: 'settled' },
  settled: { age: 'queued' },
}

/** The state of an attempt after an event; undefined: the state does not allow the event. */
export function nextDelivery(state: DeliveryState, event: DeliveryEvent): DeliveryState | undefined {
  return transitions[state][event]
}
