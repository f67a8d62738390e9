/**
 * What can happen to a webhook. Its row in the ledger has a status (`WebhookStatus`), which these files of `stream/ledger/` change:
 *
 *     enqueued → pending                                          ledgerEntry.ts
 *     pending ─an attempt is answered with a 2xx→ delivered       writeAttempts.ts
 *     pending ─the last attempt of the schedule fails→ failed     settleAttempts.ts
 *     pending ─a reorganisation removes its block→ dropped        retractWebhooks.ts
 *     pending ─its stream is terminated or deleted→ dropped       streamState.ts
 *     failed, dropped ─a replay, or an attempt that was still under way, is answered with a 2xx→ delivered   settleAttempts.ts
 *
 * While it is pending, and for each replay, it has a row in the queue, which names the time of the next retry. A reorganisation
 * marks every webhook of its blocks as retracted, whatever the status: what is retracted is not replayed. Retention removes
 * webhooks that are not pending (removeSettled.ts).
 *
 * The process that delivers the webhook has a state for each of its attempts in memory, kept by `Claims`:
 *
 *     queued ─load→ loaded ─send→ under way ─answer→ answered ─settle→ settled ─age→ queued
 *                      └─forget→ queued  └─cut→ queued
 *
 * - queued: the process knows nothing of the attempt. If the webhook is pending, its row in the queue says so.
 * - loaded: the body is in memory, in the send queue that took it.
 * - under way: the webhook was sent, and its receiver has not answered.
 * - answered: the outcome of the attempt waits to be written to the ledger.
 * - settled: the ledger has the outcome. The state is kept until every read has ended that may have begun before: the rows of such
 *   a read still show the attempt as pending.
 *
 * An attempt is loaded only while it is queued. So an attempt that is under way or not settled is not made again, even where the
 * lease was lost and won again or the database was unreachable. A retry is another attempt, with a state of its own.
 */
export type DeliveryState = 'queued' | 'loaded' | 'under way' | 'answered' | 'settled'

export type DeliveryEvent =
  | 'load'
  /** The body is removed from memory, unsent. */
  | 'forget'
  | 'send'
  /** Shutdown aborts the attempt: the process that delivers next repeats it. */
  | 'cut'
  /** The attempt has an outcome, which may be a timeout. */
  | 'answer'
  | 'settle'
  /** Every read that began before the attempt was settled has ended. */
  | 'age'

const transitions: Record<DeliveryState, Partial<Record<DeliveryEvent, DeliveryState>>> = {
  queued: { load: 'loaded' },
  loaded: { send: 'under way', forget: 'queued' },
  'under way': { answer: 'answered', cut: 'queued' },
  answered: { settle: 'settled' },
  settled: { age: 'queued' },
}

/** The state of an attempt after an event; undefined: the state does not allow the event. */
export function nextDelivery(state: DeliveryState, event: DeliveryEvent): DeliveryState | undefined {
  return transitions[state][event]
}
