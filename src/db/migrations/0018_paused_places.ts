import type { Migration } from './migration.ts'

/** A stream that is not matched keeps its place on each chain, and goes on from there when it is resumed. */
export const pausedPlaces: Migration = {
  id: 18,
  name: 'paused_places',
  sql: `
-- paused: nothing matches it; it goes on with next_block when it is resumed.
ALTER TABLE stream_chain DROP CONSTRAINT stream_chain_state_check;
ALTER TABLE stream_chain ADD CONSTRAINT stream_chain_state_check CHECK (state IN ('live', 'history', 'paused'));

-- What was paused by an older version missed what came since, and goes on after the last block that was followed.
UPDATE stream_chain s SET state = 'paused', failure = NULL, failing_since = NULL, retry_at = NULL,
  next_block = CASE s.state WHEN 'live' THEN greatest(s.from_block, c.block_number + 1) ELSE s.next_block END
FROM stream t, chain c
WHERE t.partition = s.partition AND t.id = s.stream_id AND t.status IN ('paused', 'terminated') AND c.id = s.chain_id;

-- Their last change said that they match nothing any more; from their place on they do.
INSERT INTO stream_change (partition, stream_id, chain_ids, effective, before, after)
SELECT t.partition, t.id, array_agg(s.chain_id ORDER BY s.chain_id),
  array_agg(greatest(s.next_block, (
    SELECT max(v.block) FROM stream_change c, unnest(c.chain_ids, c.effective) AS v (chain, block)
    WHERE c.stream_id = t.id AND v.chain = s.chain_id)) ORDER BY s.chain_id),
  json_build_object('active', false, 'tag', t.tag, 'chainIds', t.chain_ids::text[], 'definition', t.definition),
  json_build_object('active', true, 'tag', t.tag, 'chainIds', t.chain_ids::text[], 'definition', t.definition)
FROM stream t JOIN stream_chain s ON s.partition = t.partition AND s.stream_id = t.id AND s.state = 'paused'
GROUP BY t.partition, t.id;
`,
}
