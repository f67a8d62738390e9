import type { Sql } from '../../db/database.ts'

/** How often a follower looks for confirmations, as it reads an index of all; also once a chain is not matched any more. */
const lookEveryMs = 10_000

/** Chains whose blocks streams need: to be matched, or to confirm and retract webhooks of streams that are paused or left the chain. */
export async function readNeededChains(sql: Sql): Promise<bigint[]> {
  return [...new Set([...(await readMatchedChains(sql)), ...(await readConfirmingChains(sql))])]
}

/** The same for a follower, which asks every second. A chain that only confirms webhooks may be left over for ten seconds. */
export function createNeededChains(sql: Sql): () => Promise<ReadonlySet<bigint>> {
  let matched: ReadonlySet<bigint> = new Set()
  let confirming: readonly bigint[] = []
  let lookAt = Number.NEGATIVE_INFINITY
  return async () => {
    const before = matched
    matched = new Set(await readMatchedChains(sql))
    if (performance.now() >= lookAt || [...before].some((id) => !matched.has(id))) {
      confirming = await readConfirmingChains(sql)
      lookAt = performance.now() + lookEveryMs
    }
    return new Set([...matched, ...confirming])
  }
}

async function readMatchedChains(sql: Sql): Promise<bigint[]> {
  const rows = await sql.rows<[bigint]>(
    `SELECT DISTINCT unnest(chain_ids) FROM stream WHERE status IN ('active', 'error')`,
  )
  return rows.map(([id]) => id)
}

async function readConfirmingChains(sql: Sql): Promise<bigint[]> {
  const rows = await sql.rows<[bigint]>('SELECT DISTINCT chain_id FROM stream_confirmation')
  return rows.map(([id]) => id)
}
