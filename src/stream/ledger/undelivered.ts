import { column, defineRow } from '../../db/defineRow.ts'
import { webhookKeys } from './deliveryKeys.ts'

/**
 * Statements that maintain `webhook_undelivered`, the list of failed and dropped webhooks, so that queries need not
 * scan delivered ones. The list is written together with the status.
 */

/** A failed or dropped webhook. */
export const endedRow = defineRow({
  partition: column.int2('partition'),
  streamId: column.uuid('stream_id'),
  chainId: column.int8('chain_id'),
  position: column.int8('position'),
})

/**
 * `update`: an UPDATE of `webhook w` to status failed or dropped, without RETURNING. Returns the rows as `endedRow`.
 */
export const endUndelivered = (update: string) => `
WITH ended AS (${update} RETURNING w.partition, w.stream_id, w.chain_id, w.position, w.status),
listed AS (INSERT INTO webhook_undelivered (partition, stream_id, status, position, since)
  SELECT partition, stream_id, status, position, now() FROM ended)
SELECT ${endedRow.columns} FROM ended`

/**
 * Sets the webhooks of `webhookKeys` in status $3 to delivered, for a replay or a running attempt. Returns their
 * positions.
 */
export const deliverUndelivered = `
WITH changed AS (
  UPDATE webhook w SET status = 'delivered' FROM ${webhookKeys.unnest()}
  WHERE w.partition = v.partition AND w.position = v.position AND w.status = $3
  RETURNING w.partition, w.stream_id, w.position),
unlisted AS (DELETE FROM webhook_undelivered u USING changed c
  WHERE u.partition = c.partition AND u.stream_id = c.stream_id AND u.status = $3 AND u.position = c.position)
SELECT position FROM changed`
