import { defineLists, list } from '../../db/defineLists.ts'
import type { DeliveryKey } from './attempt.ts'

const webhook = {
  partition: list.int2((key: WebhookKey) => key.partition),
  position: list.int8((key: WebhookKey) => key.position),
}

/** The key of a webhook in the ledger. */
export type WebhookKey = Pick<DeliveryKey, 'partition' | 'position'>

/** Webhooks by their key in the ledger, for a statement. */
export const webhookKeys = defineLists<WebhookKey>(webhook)

/** The key in the queue of all deliveries of a webhook. */
export type QueuedKey = Omit<DeliveryKey, 'replay'>

const queued = {
  partition: list.int2((key: QueuedKey) => key.partition),
  stream_id: list.uuid((key: QueuedKey) => key.streamId),
  chain_id: list.int8((key: QueuedKey) => key.chainId),
  position: list.int8((key: QueuedKey) => key.position),
}

/** Webhooks by their key in the queue, for a statement. */
export const queuedKeys = defineLists<QueuedKey>(queued)

/** True for row `q` of the queue and row `v` of `queuedKeys`. */
export const sameWebhook =
  'q.partition = v.partition AND q.stream_id = v.stream_id AND q.chain_id = v.chain_id AND q.position = v.position'

/** The columns of a delivery's key, with which every list of deliveries begins. */
export const deliveryColumns = { ...queued, replay: list.int4((key: DeliveryKey) => key.replay) }

/** True for row `q` of the queue and a row `v` that begins with `deliveryColumns`. */
export const sameDelivery = `${sameWebhook} AND q.replay = v.replay`
