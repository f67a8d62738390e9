import type { Sql } from '../db/database.ts'
import { column, defineRow } from '../db/defineRow.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { headAgeColumns, headAgeMsOf } from '../sync/headAge.ts'
import { run } from '../sync/run.ts'
import type { Log } from '../util/log.ts'

const networkRow = defineRow({ network: column.text('n.name'), ...headAgeColumns('n') })

/** Interval of reading the networks. */
const watchMs = 10_000

/**
 * Publishes the age of the heads of the configured coin networks, from the database. Processes of every role do so, as the one that should read a
 * network may be missing. Ends with the signal.
 */
export async function watchNetworks(options: {
  db: Sql
  networks: readonly string[]
  metrics: Pick<Metrics, 'aptosHeadAge'>
  log: Log
  signal: AbortSignal
}): Promise<void> {
  const { db, networks, metrics, log, signal } = options
  const startedAt = performance.now()

  async function look(): Promise<'idle'> {
    const rows = await db.rows(`SELECT ${networkRow.columns} FROM coin_network n WHERE name = ANY($1)`, [networks])
    for (const { network, ...requested } of rows.map(networkRow.decode))
      metrics.aptosHeadAge.set(
        { network },
        Math.floor((headAgeMsOf(requested) ?? performance.now() - startedAt) / 1_000),
      )
    return 'idle'
  }

  if (networks.length > 0) await run({ name: 'watch networks', step: look, idleMs: watchMs, signal, log })
}
