import { readDatabaseBytes, readSizes } from '../db/cluster/readSizes.ts'
import type { Database } from '../db/database.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { run } from '../sync/run.ts'
import type { Log } from '../util/log.ts'

const watchMs = 60_000

/** Publishes the size of the database and of each kind of data, in processes of every role. Ends with the signal. */
export async function watchSizes(options: {
  db: Database
  metrics: Pick<Metrics, 'storedBytes' | 'databaseBytes'>
  log: Log
  signal: AbortSignal
}): Promise<void> {
  const { db, metrics, log, signal } = options

  async function look(): Promise<'idle'> {
    const sizes = await readSizes(db)
    for (const { kind, bytes } of sizes) metrics.storedBytes.set({ kind }, bytes)
    metrics.databaseBytes.set(await readDatabaseBytes(db, sizes))
    return 'idle'
  }

  await run({ name: 'watch sizes', step: look, idleMs: watchMs, signal, log })
}
