import type { Sql } from '../db/database.ts'
import { column, defineRow, type RowOf } from '../db/defineRow.ts'
import { unconfirmed } from '../nft/query.ts'
import { headAgeColumns, headAgeOf, isOld } from '../sync/headAge.ts'
import { isHeld } from '../sync/leases/livingWorkers.ts'

/** Of `readChainOverview`, where `k` has the ids of all chains that are known of. */
const chainRow = defineRow({
  id: column.int8('k.id'),
  /** Last block applied; null: it is not followed. */
  block: column.int8('h.block_number').orNull(),
  /** null: no node was ever asked. */
  head: column.int8('h.head_number').orNull(),
  finalized: column.int8('h.finalized_number').orNull(),
  /** Why it is not followed now, for people. */
  failure: column.text('h.failure').orNull(),
  ...headAgeColumns('h'),
  /** Collections or streams need every block of it. */
  followed: column.bool(
    `EXISTS (SELECT FROM collection c WHERE c.chain_id = k.id AND c.status IN ('live', 'syncing'))
       OR EXISTS (SELECT FROM stream s WHERE k.id = ANY(s.chain_ids) AND s.status IN ('active', 'error'))`,
  ),
  /** A collection waits for its turn, or failed: the head is not asked for on its account. */
  waiting: column.bool(
    `EXISTS (SELECT FROM collection c WHERE c.chain_id = k.id AND c.status IN ('queued', 'failed'))`,
  ),
  /** A living process holds the right to follow it. */
  held: column.bool(isHeld('chain', 'k.id')),
  /** A server's configuration names it, or named it once. */
  configured: column.bool('EXISTS (SELECT FROM chain_name n WHERE n.chain_id = k.id)'),
  /** Since when an operator has it paused, so that nothing is read of it; null: it is not. */
  pausedAt: column.timestamptz('p.paused_at').orNull(),
})

/** A chain as the database knows it. */
export type ChainOverview = RowOf<typeof chainRow> & {
  /** Collections or streams need something of it. */
  wanted: boolean
}

/** Every chain that anything is stored of, that some process was configured for, or that is among `ids`. */
export async function readChainOverview(sql: Sql, ids: readonly bigint[]): Promise<ChainOverview[]> {
  const rows = await sql.rows(
    `SELECT ${chainRow.columns}
     FROM (SELECT id FROM chain UNION SELECT key FROM lease WHERE kind = 'chain' UNION SELECT chain_id FROM chain_name
         UNION SELECT chain_id FROM chain_pause UNION SELECT unnest($1::bigint[])) k (id)
       LEFT JOIN chain h ON h.id = k.id LEFT JOIN chain_pause p ON p.chain_id = k.id
     ORDER BY k.id`,
    [ids],
  )
  return rows.map((row) => {
    const chain = chainRow.decode(row)
    return { ...chain, wanted: chain.followed || chain.waiting }
  })
}

/** Whether lists of chains show it: something is stored of it or needs it, a server names it, or it is paused. */
export function isListed({ head, wanted, configured, pausedAt }: ChainOverview): boolean {
  return head !== null || wanted || configured || pausedAt !== null
}

/** What stands in the way of a chain, for people; null: nothing. */
export function faultOf(chain: ChainOverview): string | null {
  const { wanted, followed, held, configured, head, failure, headAgeMs, pausedAt } = chain
  if (pausedAt !== null) return `paused since ${pausedAt.toISOString()}: "mintmark chains resume" has it read again`
  if (wanted && !held) return 'no running process follows it: none that reads chains is configured for it'
  if (!held && (configured || head !== null))
    return 'no running process is configured for it: add it to the configuration, or have it forgotten by "mintmark chains reset"'
  if (failure !== null) return failure
  if ((wanted && headAgeMs === null) || (configured && held && head === null))
    return 'no node of this chain has given a usable answer yet: the log says why, chains.NAME.rpc has the addresses'
  return followed && isOld(headAgeOf(chain)) ? unconfirmed(chain.maxHeadAgeMs) : null
}

/** The same where perhaps no server runs: then that is what stands in the way of all of them, and only what was noted is told. */
export function stateOf(chain: ChainOverview, isServed: boolean): string | null {
  return isServed || chain.pausedAt !== null ? faultOf(chain) : chain.failure
}
