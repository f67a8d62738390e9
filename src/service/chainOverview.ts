import type { Sql } from '../db/database.ts'
import { unconfirmed } from '../nft/query.ts'
import { silentWorkerMs } from '../sync/lease.ts'

/** A chain as the database knows it. */
export type ChainOverview = {
  id: bigint
  /** Last block applied; null: it is not followed. */
  block: bigint | null
  /** null: no node was ever asked. */
  head: bigint | null
  finalized: bigint | null
  /** Why it is not followed now, for people. */
  failure: string | null
  /** Milliseconds since a node last confirmed the head, and how many there may be; null: no node was asked, no bound. */
  headAgeMs: number | null
  maxHeadAgeMs: number | null
  /** Collections or streams need it. */
  wanted: boolean
  /** They need every block of it: a collection that only waits for its turn, or failed, has nobody ask for the head. */
  followed: boolean
  /** A living process holds the right to follow it. */
  held: boolean
  /** A server's configuration names it. */
  configured: boolean
  /** Since when an operator has it paused, so that nothing is read of it; null: it is not. */
  pausedAt: Date | null
}

/** Every chain that anything is stored of, that some process was configured for, or that is among `ids`. */
export async function readChainOverview(sql: Sql, ids: readonly bigint[]): Promise<ChainOverview[]> {
  const rows = await sql.rows<
    [
      id: bigint,
      block: bigint | null,
      head: bigint | null,
      finalized: bigint | null,
      failure: string | null,
      headAgeMs: number | null,
      maxHeadAgeMs: number | null,
      followed: boolean,
      waiting: boolean,
      held: boolean,
      configured: boolean,
      pausedAt: Date | null,
    ]
  >(
    `SELECT k.id, h.block_number, h.head_number, h.finalized_number, h.failure,
       (extract(epoch FROM now() - h.confirmed_at) * 1000)::float8, h.max_head_age_ms,
       EXISTS (SELECT FROM collection c WHERE c.chain_id = k.id AND c.status IN ('live', 'syncing'))
         OR EXISTS (SELECT FROM stream s WHERE k.id = ANY(s.chain_ids) AND s.status IN ('active', 'error')),
       EXISTS (SELECT FROM collection c WHERE c.chain_id = k.id AND c.status IN ('queued', 'failed')),
       EXISTS (SELECT FROM lease l JOIN worker w ON w.id = l.worker_id
         WHERE l.kind = 'chain' AND l.key = k.id AND w.heartbeat_at > now() - ${silentWorkerMs} * interval '1 millisecond'),
       EXISTS (SELECT FROM chain_name n WHERE n.chain_id = k.id), p.paused_at
     FROM (SELECT id FROM chain UNION SELECT key FROM lease WHERE kind = 'chain' UNION SELECT chain_id FROM chain_name
         UNION SELECT chain_id FROM chain_pause UNION SELECT unnest($1::bigint[])) k (id)
       LEFT JOIN chain h ON h.id = k.id LEFT JOIN chain_pause p ON p.chain_id = k.id
     ORDER BY k.id`,
    [ids],
  )
  return rows.map(
    ([
      id,
      block,
      head,
      finalized,
      failure,
      headAgeMs,
      maxHeadAgeMs,
      followed,
      waiting,
      held,
      configured,
      pausedAt,
    ]) => ({
      id,
      block,
      head,
      finalized,
      failure,
      headAgeMs,
      maxHeadAgeMs,
      wanted: followed || waiting,
      followed,
      held,
      configured,
      pausedAt,
    }),
  )
}

/** What stands in the way of a chain, for people; null: nothing. */
export function faultOf(chain: ChainOverview): string | null {
  const { wanted, followed, held, configured, head, failure, headAgeMs, maxHeadAgeMs, pausedAt } = chain
  if (pausedAt !== null) return `paused since ${pausedAt.toISOString()}: "mintmark chains resume" has it read again`
  if (wanted && !held) return 'nobody follows it: no running process that reads chains is configured for it'
  if (failure !== null) return failure
  if ((wanted && headAgeMs === null) || (configured && held && head === null))
    return 'no node of it has answered yet: see its rpc addresses and the log'
  return followed && headAgeMs !== null && maxHeadAgeMs !== null && headAgeMs > maxHeadAgeMs
    ? unconfirmed(maxHeadAgeMs)
    : null
}

/** The same where perhaps no server runs: then that is what stands in the way of all of them, and only what was noted is told. */
export function stateOf(chain: ChainOverview, isServed: boolean): string | null {
  return isServed || chain.pausedAt !== null ? faultOf(chain) : chain.failure
}
