import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { clusterMissing, startCitusCluster } from '../../test/citusCluster.ts'
import { askDatabase } from './askDatabase.ts'
import type { WorldDatabase } from './database.ts'

const main = join(import.meta.dirname, '../../src/main.ts')

/** How long a worker is away where another world has its postmaster killed, in milliseconds. */
const workerAwayMs = 1_500

/** A Citus cluster of a coordinator and two workers with the tables on its nodes, as an operator brings them there. */
export async function startCitusDatabase(): Promise<WorldDatabase> {
  if (clusterMissing) throw new Error(`a world on Citus is ${clusterMissing}`)
  const cluster = await startCitusCluster()
  const connection = { connectionString: cluster.url }
  const asked = askDatabase(connection)
  await promisify(execFile)(process.execPath, [main, 'migrate', '--distribute', '--database-url', cluster.url])
  return {
    url: cluster.url,
    connection,
    ...asked,
    async kill(what, random) {
      if (what === 'backend' && (await asked.killBackend(random))) return
      const worker = random.pick([1, 2] as const)
      await cluster.stopWorker(worker)
      await wait(workerAwayMs)
      await cluster.startWorker(worker)
    },
    canFill: false,
    fillDisk: async () => undefined,
    clearDisk: () => undefined,
    stop: cluster.end,
  }
}
