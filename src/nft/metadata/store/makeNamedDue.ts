import type { Transaction } from '../../../db/database.ts'
import { sameToken } from '../../transfers/tokenHash.ts'
import { announcedPause, dueAfter, dueAt, duePriority, parkedPause } from './due.ts'
import { type TokenKey, tokenLists } from './tokenKey.ts'

/** When an announced token is due; one that waits for a dead host, not before its pause is over. */
const announcedDue = `greatest(excluded.due_at, ${dueAt(`d.parked_at + ${parkedPause}`)})`

/**
 * What an announcement does to a token that is due already. The pause after a failure ends. A token that is due sooner, because a client
 * asked for it, stays so. A token that is due now may be under way: `announced_at` tells the settling of the announcement. A row
 * that says all that already is not written.
 */
export const onAnnounced = `ON CONFLICT (partition, collection_id, token_hash) DO UPDATE SET
  due_at = least(d.due_at, ${announcedDue}), attempts = 0, announced_at = now(),
  priority = greatest(d.priority, excluded.priority)
WHERE d.due_at <= now() OR d.due_at > ${announcedDue} OR d.priority < excluded.priority`

/** What a client's request does to such a token. The new `due_at` tells the settling that a read under way does not answer this request. */
const onAsked = `ON CONFLICT (partition, collection_id, token_hash) DO UPDATE SET
  due_at = excluded.due_at, attempts = 0, priority = greatest(d.priority, excluded.priority)`

/** `pause`: SQL for how long a token that was read, `m`, is left alone. */
const makeDue = (pause: string, onConflict: string) => `
WITH due AS (
  INSERT INTO metadata_due AS d (partition, collection_id, token_hash, token_id, due_at, priority)
  SELECT DISTINCT ON (v.partition, v.collection_id, v.token_hash) v.*, t.token_id,
    ${dueAfter('m.tried_at', pause)}, ${duePriority.named}
  FROM ${tokenLists.unnest(2)}
    JOIN token t ON ${sameToken('t', 'v')} AND t.amount > 0
    LEFT JOIN token_metadata m ON ${sameToken('m', 'v')}
  ${onConflict}
  RETURNING partition, collection_id, due_at
)
UPDATE collection c SET metadata_due_at = least(c.metadata_due_at, d.due_at)
FROM (SELECT partition, collection_id, min(due_at) AS due_at FROM due GROUP BY partition, collection_id) d
WHERE c.partition = d.partition AND c.id = d.collection_id`

const makeAnnouncedDue = makeDue(announcedPause('$1', 'm.unchanged'), onAnnounced)
const makeAskedDue = makeDue('make_interval(secs => $1::float8 / 1000)', onAsked)

/**
 * Has the documents of tokens that events name read again, before others. A token that was read is due when its pause is over, which is
 * `coolOffMs` at least. Tokens that do not exist are left out. Returns how many collections have tokens that became due. The caller
 * holds the locks of the collections.
 */
export function announceTokens(tx: Transaction, tokens: readonly TokenKey[], coolOffMs: number): Promise<number> {
  return tx.run(makeAnnouncedDue, [coolOffMs, ...tokenLists.lists(tokens)])
}

/** The same for tokens that a client names. A token is due `pauseMs` after its last try. */
export function askForTokens(tx: Transaction, tokens: readonly TokenKey[], pauseMs: number): Promise<number> {
  return tx.run(makeAskedDue, [pauseMs, ...tokenLists.lists(tokens)])
}
