import type { Migration } from './migration.ts'

/** What a delivery waits for: the schedule or the receiver's word; and replays, which go in the order of their positions. */
export const deliveryWaits: Migration = {
  id: 16,
  name: 'delivery_waits',
  sql: `
ALTER TABLE webhook_queue
  -- Failed attempts that used up no wait of the schedule, since the receiver asked for another time.
  ADD COLUMN postponed integer NOT NULL DEFAULT 0,
  -- When the first attempt of this delivery was made; null: it was not.
  ADD COLUMN first_at timestamptz,
  -- It takes back another webhook: when it is read to be sent, nothing older that is in memory is sent again.
  ADD COLUMN retraction boolean NOT NULL DEFAULT false;
UPDATE webhook_queue q SET retraction = true FROM webhook w
WHERE w.partition = q.partition AND w.position = q.position AND w.kind = 'retraction';
UPDATE webhook_queue q SET first_at = a.at FROM webhook_attempt a
WHERE a.partition = q.partition AND a.position = q.position AND a.replay = q.replay AND a.number = 1;

-- A replay waits for its first attempt as a delivery does: without a time, in the order of positions.
UPDATE webhook_queue SET due_at = NULL WHERE replay > 0 AND failures = 0;
CREATE INDEX webhook_replay ON webhook_queue (partition, stream_id, position, replay) WHERE due_at IS NULL AND replay > 0;
`,
}
