import type { Sql } from '../db/database.ts'
import { column, defineRow, type RowOf } from '../db/defineRow.ts'
import { unconfirmed } from '../nft/query.ts'
import { readNeededChains } from '../stream/definition/neededChains.ts'
import { headAgeColumns, headAgeMsOf, headAgeOf, isOld } from '../sync/headAge.ts'
import { isHeld } from '../sync/leases/livingWorkers.ts'

/** A row of `readChainOverview`; `k` has the ids of all chains in the database. */
const chainRow = defineRow({
  id: column.int8('k.id'),
  /** The last applied block; null: the chain is not followed. */
  block: column.int8('h.block_number').orNull(),
  /** null: no node has answered yet. */
  head: column.int8('h.head_number').orNull(),
  finalized: column.int8('h.finalized_number').orNull(),
  /** Why the chain is not followed now, as readable text. */
  failure: column.text('h.failure').orNull(),
  ...headAgeColumns('h'),
  /** Whether a running process holds the lease of the chain. */
  held: column.bool(isHeld('chain', 'k.id')),
  /** Whether a server's configuration contains or contained the chain. */
  configured: column.bool('EXISTS (SELECT 1 FROM chain_name n WHERE n.chain_id = k.id)'),
  /** When an operator paused the chain; null: it is not paused. */
  pausedAt: column.timestamptz('p.paused_at').orNull(),
})

/** A chain as stored in the database. */
export type ChainOverview = RowOf<typeof chainRow> & {
  /** Milliseconds since a node last confirmed a head; null: never. */
  headAgeMs: number | null
  /** Whether collections or streams need every block of the chain. */
  followed: boolean
  /** Whether a collection is queued or failed, which does not require the head. */
  waiting: boolean
  /** Whether a collection or a stream is on the chain. */
  wanted: boolean
}

/** Every chain with a row of any kind in the database, or in `ids`. */
export async function readChainOverview(sql: Sql, ids: readonly bigint[]): Promise<ChainOverview[]> {
  const rows = await sql.rows(
    `SELECT ${chainRow.columns}
     FROM (SELECT id FROM chain UNION SELECT key FROM lease WHERE kind = 'chain' UNION SELECT chain_id FROM chain_name
         UNION SELECT chain_id FROM chain_pause UNION SELECT unnest($1::bigint[])) k (id)
       LEFT JOIN chain h ON h.id = k.id LEFT JOIN chain_pause p ON p.chain_id = k.id
     ORDER BY k.id`,
    [ids],
  )
  const chains = rows.map(chainRow.decode)
  const ofStreams = new Set(
    await readNeededChains(
      sql,
      chains.map(({ id }) => id),
    ),
  )
  const overviews: ChainOverview[] = []
  for (const chain of chains) {
    const [[indexed, waiting] = [false, false]] = await sql.rows<[boolean, boolean]>(selectCollections, [chain.id])
    const followed = indexed || ofStreams.has(chain.id)
    overviews.push({ ...chain, headAgeMs: headAgeMsOf(chain), followed, waiting, wanted: followed || waiting })
  }
  return overviews
}

/** Whether a chain has collections that are read or followed, and some that are queued for it. */
const selectCollections = `
SELECT EXISTS (SELECT 1 FROM collection WHERE chain_id = $1 AND status IN ('live', 'syncing') LIMIT 1)
    OR EXISTS (SELECT 1 FROM wallet WHERE chain_id = $1 AND status IN ('live', 'syncing') LIMIT 1),
  EXISTS (SELECT 1 FROM collection WHERE chain_id = $1 AND status IN ('queued', 'failed') LIMIT 1)
    OR EXISTS (SELECT 1 FROM wallet WHERE chain_id = $1 AND status IN ('queued', 'failed') LIMIT 1)`

/** Whether lists contain a chain: a node of it has answered, a collection or a stream is on it, a server has it configured, or it is paused. */
export function isListed({ head, wanted, configured, pausedAt }: ChainOverview): boolean {
  return head !== null || wanted || configured || pausedAt !== null
}

/** Why a chain is not read now, as readable text; null: it is read, or need not be. */
export function faultOf(chain: ChainOverview): string | null {
  const { wanted, followed, held, configured, head, failure, headAgeMs, pausedAt } = chain
  if (pausedAt !== null) return `paused since ${pausedAt.toISOString()}: "mintmark chains resume" resumes it`
  if (wanted && !held)
    return 'no running process follows it: add it to the configuration of a process of role sync or all'
  if (!held && (configured || head !== null))
    return 'no running process is configured for it: add it to the configuration, or remove its data with "mintmark chains reset"'
  if (failure !== null) return failure
  if ((wanted && headAgeMs === null) || (configured && held && head === null))
    return 'no node of this chain has given a usable response yet: the log shows the reason, chains.NAME.rpc has the addresses'
  return followed && isOld(headAgeOf(chain)) ? unconfirmed(chain.maxHeadAgeMs) : null
}

/** The error of a chain when a server may not be running. Without one no chain is read, so only the stored failure is returned. */
export function stateOf(chain: ChainOverview, isServed: boolean): string | null {
  return isServed || chain.pausedAt !== null ? faultOf(chain) : chain.failure
}
