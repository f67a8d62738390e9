import type { Migration } from './migration.ts'

/** Streams in error are probed, and what happens to streams and chains is told to whoever runs the server. */
export const probes: Migration = {
  id: 24,
  name: 'probes',
  sql: `
ALTER TABLE webhook_delivered
  -- While the stream is in error: probes taken up, and when the next one is due; null: none is made.
  ADD COLUMN probes integer NOT NULL DEFAULT 0,
  ADD COLUMN probe_at timestamptz;
CREATE INDEX webhook_probe ON webhook_delivered (probe_at) WHERE probe_at IS NOT NULL;
UPDATE webhook_delivered d SET probe_at = now() FROM stream s
WHERE s.partition = d.partition AND s.id = d.stream_id AND s.status = 'error' AND s.status_message NOT LIKE 'its address answered 410%';

-- Notices to webhooks.operationsUrl that are still to be sent, a bounded number.
CREATE TABLE operation_notice (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The header webhook-id.
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  body text NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  -- It is not sent before; while it is being sent, when another process may.
  due_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);

-- Chains that something stands in the way of.
CREATE TABLE chain_stall (
  chain_id bigint PRIMARY KEY,
  since timestamptz NOT NULL,
  -- A notice of it was written.
  told boolean NOT NULL DEFAULT false
);
`,
}
