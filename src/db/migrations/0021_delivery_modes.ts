import type { Migration } from './migration.ts'

/** In which order the webhooks of a stream are sent, which of them there are, and when a stream in error is asked again. */
export const deliveryModes: Migration = {
  id: 21,
  name: 'delivery_modes',
  sql: `
ALTER TABLE stream
  -- ordered: first attempts one after the other on each chain; unordered: many at once.
  ADD COLUMN delivery text NOT NULL DEFAULT 'ordered' CHECK (delivery IN ('ordered', 'unordered'));
-- Blocks below it were there when the stream asked for them: where they are confirmed, only their confirmed webhooks are sent.
ALTER TABLE stream_chain ADD COLUMN head_from bigint NOT NULL DEFAULT 0;
-- As text: read as JSON, a definition with an escape that stands for no character is refused.
UPDATE stream SET definition = (left(definition::text, -1) || ',"confirmedOnly":false}')::json
WHERE definition::text LIKE '{"%}';
`,
}
