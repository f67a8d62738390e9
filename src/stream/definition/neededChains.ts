import type { Sql } from '../../db/database.ts'
import { anyUnconfirmed } from '../ledger/confirmations.ts'

/** How often a follower looks for confirmations; also once a chain is not matched any more. */
const lookEveryMs = 10_000

/** Those of these chains whose blocks streams need: to match them, or to confirm and retract webhooks of streams that are paused or left the chain. */
export async function readNeededChains(sql: Sql, chainIds: readonly bigint[]): Promise<bigint[]> {
  const matched = await readMatchedChains(sql)
  const confirming = new Set(await confirmingOf(sql, chainIds, matched))
  return chainIds.filter((id) => matched.has(id) || confirming.has(id))
}

/** The same for a follower, which asks every second. A chain that only confirms webhooks may be missing or left over for ten seconds. */
export function createNeededChains(sql: Sql): (chainIds: readonly bigint[]) => Promise<bigint[]> {
  let matched: ReadonlySet<bigint> = new Set()
  let confirming: ReadonlySet<bigint> = new Set()
  let lookAt = Number.NEGATIVE_INFINITY
  return async (chainIds) => {
    const before = matched
    matched = await readMatchedChains(sql)
    if (performance.now() >= lookAt || [...before].some((id) => !matched.has(id))) {
      confirming = new Set(await confirmingOf(sql, chainIds, matched))
      lookAt = performance.now() + lookEveryMs
    }
    return chainIds.filter((id) => matched.has(id) || confirming.has(id))
  }
}

async function readMatchedChains(sql: Sql): Promise<ReadonlySet<bigint>> {
  const rows = await sql.rows<[bigint]>(
    `SELECT DISTINCT unnest(chain_ids) FROM stream WHERE status IN ('active', 'error')`,
  )
  return new Set(rows.map(([id]) => id))
}

/** Unmatched chains with webhooks that await confirmation. */
async function confirmingOf(sql: Sql, chainIds: readonly bigint[], matched: ReadonlySet<bigint>): Promise<bigint[]> {
  const found: bigint[] = []
  for (const id of chainIds) if (!matched.has(id) && (await anyUnconfirmed(sql, id))) found.push(id)
  return found
}
