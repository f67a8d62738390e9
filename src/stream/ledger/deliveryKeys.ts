import { defineLists, list } from '../../db/defineLists.ts'
import type { DeliveryKey } from './attempt.ts'

const webhook = {
  partition: list.int2((key: WebhookKey) => key.partition),
  position: list.int8((key: WebhookKey) => key.position),
}

/** The key of a webhook in the ledger. */
export type WebhookKey = Pick<DeliveryKey, 'partition' | 'position'>

/** Lists of webhook keys for a statement. */
export const webhookKeys = defineLists<WebhookKey>(webhook)

/** Queue key of all deliveries of a webhook. */
export type QueuedKey = Omit<DeliveryKey, 'replay'>

/** One stream on one chain. */
type SendQueueKey = Omit<QueuedKey, 'position'>

const sendQueueKey = {
  partition: list.int2((key: SendQueueKey) => key.partition),
  stream_id: list.uuid((key: SendQueueKey) => key.streamId),
  chain_id: list.int8((key: SendQueueKey) => key.chainId),
}

const queued = { ...sendQueueKey, position: list.int8((key: QueuedKey) => key.position) }

/** The webhooks of one stream on one chain, as a range in a list of positions, from 1. */
type SendQueue = SendQueueKey & { first: number; last: number }

const sendQueue = defineLists<SendQueue>({
  ...sendQueueKey,
  first: list.int4((l) => l.first),
  last: list.int4((l) => l.last),
})

/**
 * Webhooks by stream and chain, for a statement with `ofSendQueues`: all positions, with the range of each stream and
 * chain. Every shard of a cluster gets all lists, and looks up only the rows of its own streams.
 */
export function sendQueueLists(webhooks: readonly QueuedKey[]): unknown[] {
  const sendQueues = new Map<string, SendQueueKey & { positions: bigint[] }>()
  for (const { partition, streamId, chainId, position } of webhooks) {
    const name = `${streamId}:${chainId}`
    const sendQueue = sendQueues.get(name)
    if (sendQueue) sendQueue.positions.push(position)
    else sendQueues.set(name, { partition, streamId, chainId, positions: [position] })
  }
  // Sorted, so that two transactions cannot deadlock.
  const sorted = [...sendQueues].sort(([a, { partition: p }], [b, { partition: q }]) => p - q || (a < b ? -1 : 1))
  const positions: bigint[] = []
  const places = sorted.map(([, { positions: own, ...key }]): SendQueue => {
    const first = positions.length + 1
    for (const position of own.sort((a, b) => (a < b ? -1 : 1))) positions.push(position)
    return { ...key, first, last: positions.length }
  })
  return [positions, ...sendQueue.lists(places)]
}

/**
 * FROM items with a row `m` for each stream and chain of `sendQueueLists`, whose first parameter is $1. The join with
 * `webhook_matched`, which has a row for every stream with pending webhooks, restricts each cluster shard to its own
 * streams.
 */
export const ofSendQueues = `${sendQueue.unnest(2)}
JOIN webhook_matched m ON m.partition = v.partition AND m.stream_id = v.stream_id AND m.chain_id = v.chain_id`

/**
 * True for a row of a webhook of `ofSendQueues`. The bounds restrict PostgreSQL to a range of positions. Without
 * statistics it would read the whole partition and compare each row with the list, which takes most of its time in the
 * first minute of a busy ledger.
 */
export const inSendQueue = (row: string) =>
  `${row}.partition = m.partition AND ${row}.position = ANY (($1::int8[])[v.first:v.last])
    AND ${row}.position BETWEEN ($1::int8[])[v.first] AND ($1::int8[])[v.last]`

/** Whether row `q` of the queue matches row `v` of a list that begins with `queued`. */
const sameWebhook =
  'q.partition = v.partition AND q.stream_id = v.stream_id AND q.chain_id = v.chain_id AND q.position = v.position'

/** Key columns of a delivery, with which every list of deliveries begins. */
export const deliveryColumns = { ...queued, replay: list.int4((key: DeliveryKey) => key.replay) }

/** Whether row `q` of the queue matches a row `v` that begins with `deliveryColumns`. */
export const sameDelivery = `${sameWebhook} AND q.replay = v.replay`
