import type { Transaction } from '../../../db/database.ts'
import { announcedPause, dueAfter, dueAt, duePriority, parkedPause } from './due.ts'
import type { TokenKeys } from './forgetTokens.ts'

/** When an announced token is due: one that waits for a dead host not before that was left alone for its pause. */
const announcedDue = `greatest(excluded.due_at, ${dueAt(`d.parked_at + ${parkedPause}`)})`

/**
 * What an announcement does to a token that is due already. A failure's pause ends, and what is due sooner, as a client asked for
 * it, stays so. What is due now may be under way: that it was announced again is noted for the settling. A row that says
 * all that is not written.
 */
export const onAnnounced = `ON CONFLICT (partition, collection_id, token_hash) DO UPDATE SET
  due_at = least(d.due_at, ${announcedDue}), attempts = 0, announced_at = now(),
  priority = greatest(d.priority, excluded.priority)
WHERE d.due_at <= now() OR d.due_at > ${announcedDue} OR d.priority < excluded.priority`

/** The same where a client asks. The new time tells the settling that the reading under way does not answer this request. */
const onAsked = `ON CONFLICT (partition, collection_id, token_hash) DO UPDATE SET
  due_at = excluded.due_at, attempts = 0, priority = greatest(d.priority, excluded.priority)`

/** `pause`: how long a token `m` that was read is left alone. */
const makeDue = (pause: string, onConflict: string) => `
WITH due AS (
  INSERT INTO metadata_due AS d (partition, collection_id, token_hash, token_id, due_at, priority)
  SELECT DISTINCT ON (v.partition, v.id, v.hash) v.partition, v.id, v.hash, t.token_id,
    ${dueAfter('m.tried_at', pause)}, ${duePriority.named}
  FROM unnest($1::smallint[], $2::bigint[], $3::uuid[]) AS v (partition, id, hash)
    JOIN token t ON t.partition = v.partition AND t.collection_id = v.id AND t.token_hash = v.hash AND t.amount > 0
    LEFT JOIN token_metadata m ON m.partition = v.partition AND m.collection_id = v.id AND m.token_hash = v.hash
  ${onConflict}
  RETURNING partition, collection_id, due_at
)
UPDATE collection c SET metadata_due_at = least(c.metadata_due_at, d.due_at)
FROM (SELECT partition, collection_id, min(due_at) AS due_at FROM due GROUP BY partition, collection_id) d
WHERE c.partition = d.partition AND c.id = d.collection_id`

const makeAnnouncedDue = makeDue(announcedPause('$4', 'm.unchanged'), onAnnounced)
const makeAskedDue = makeDue('make_interval(secs => $4::float8 / 1000)', onAsked)

/**
 * Has tokens that events name read again, before others: those that were read when their pause is over, of which `coolOffMs` is
 * the shortest. Tokens that do not exist are left out. Answers of how many collections any are due. The caller holds the
 * collections.
 */
export function announceTokens(tx: Transaction, tokens: TokenKeys, coolOffMs: number): Promise<number> {
  return tx.run(makeAnnouncedDue, [...columnsOf(tokens), coolOffMs])
}

/** The same for tokens that a client names: one that was tried less than `pauseMs` ago when that is over. */
export function askForTokens(tx: Transaction, tokens: TokenKeys, pauseMs: number): Promise<number> {
  return tx.run(makeAskedDue, [...columnsOf(tokens), pauseMs])
}

function columnsOf({ partitions, collections, hashes }: TokenKeys): unknown[] {
  return [partitions, collections, hashes]
}
