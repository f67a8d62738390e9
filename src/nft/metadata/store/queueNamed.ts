import type { Transaction } from '../../../db/database.ts'
import { sameToken } from '../../transfers/tokenHash.ts'
import { announcedPause, backoffInterval, dueAfter, dueAt, tokenPriority } from './schedule.ts'
import { type TokenKey, tokenLists } from './tokenKey.ts'

/** Due time of an announced token; with a dead host, not before its pause is over. `due`: SQL without a dead host. */
const announcedAt = (due: string) => `greatest(${due}, ${dueAt(`d.parked_at + ${backoffInterval}`)})`

/**
 * Effect of an announcement on a row `d` of `metadata_due`, null if the token is not due: SQL of its columns, and whether to write it. Ends the
 * backoff after a failure. A token that is due sooner, by a client's request, stays so. A token that is due now may be running: `announced_at`
 * informs settling about the announcement. If a client requested it, the time stays in the future. A row with all these values is not written.
 */
export const announced = (due: string, priority: number) => ({
  columns: `least(d.due_at, ${announcedAt(due)}), greatest(d.priority, ${priority}), CASE WHEN d.due_at IS NOT NULL
    THEN greatest(now(), d.announced_at + interval '1 millisecond') END`,
  isNews: `(d.due_at IS NULL OR d.due_at <= now() OR d.due_at > ${announcedAt(due)} OR d.priority < ${priority})`,
})

/** The columns of `metadata_due` that `announced` and `requested` return, and how they replace those of an existing row. */
export const queueColumns = 'due_at, priority, announced_at'
export const replaceQueued = `ON CONFLICT (partition, collection_id, token_hash) DO UPDATE SET
  due_at = excluded.due_at, attempts = 0, priority = excluded.priority, announced_at = excluded.announced_at`

/**
 * Effect of a client's request on such a token. A token that is due sooner stays so. Settling must know that a running read does not answer this
 * request. A new `due_at` informs it. If the token is due now and was read within the pause, `announced_at` does: it is the time of the next read.
 */
const requested = (due: string, priority: number, pause: string) => ({
  columns: `CASE WHEN ${due} > now() THEN least(d.due_at, ${due}) ELSE ${due} END, greatest(d.priority, ${priority}),
    CASE WHEN ${due} > now() AND d.due_at <= now() THEN ${dueAfter('now()', pause)} ELSE d.announced_at END`,
  isNews: 'true',
})

/** `pause`: SQL of how long token `m`, which was read, is not read again. Existing rows belong to locked collections. */
const queueNamed = (pause: string, of: typeof requested) => `
WITH due AS (
  INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, ${queueColumns})
  SELECT DISTINCT ON (t.partition, t.collection_id, t.token_hash) t.partition, t.collection_id, t.token_hash, t.token_id,
    ${of(dueAfter('m.tried_at', pause), tokenPriority.named, pause).columns}
  FROM ${tokenLists.unnest(2)}
    JOIN token t ON ${sameToken('t', 'v')} AND t.amount > 0
    LEFT JOIN token_metadata m ON ${sameToken('m', 't')}
    LEFT JOIN metadata_due d ON ${sameToken('d', 't')}
  WHERE ${of(dueAfter('m.tried_at', pause), tokenPriority.named, pause).isNews}
  ${replaceQueued}
  RETURNING partition, collection_id, due_at
)
UPDATE collection c SET metadata_due_at = least(c.metadata_due_at, d.due_at)
FROM (SELECT partition, collection_id, min(due_at) AS due_at FROM due GROUP BY partition, collection_id) d
WHERE c.partition = d.partition AND c.id = d.collection_id`

const queueAnnounced = queueNamed(announcedPause('$1', 'm.unchanged'), announced)
const queueRequested = queueNamed('make_interval(secs => $1::float8 / 1000)', requested)

/**
 * Schedules tokens of events, before others. A token that was read is due after its pause, at least `coolOffMs`. Unknown tokens are omitted. Returns
 * the number of collections with newly due tokens. The caller holds the locks of the collections.
 */
export function announceTokens(tx: Transaction, tokens: readonly TokenKey[], coolOffMs: number): Promise<number> {
  return tx.run(queueAnnounced, [coolOffMs, ...tokenLists.lists(tokens)])
}

/** The same for tokens that a client requests. A token is due `pauseMs` after its last attempt. */
export function requestTokenMetadata(tx: Transaction, tokens: readonly TokenKey[], pauseMs: number): Promise<number> {
  return tx.run(queueRequested, [pauseMs, ...tokenLists.lists(tokens)])
}
