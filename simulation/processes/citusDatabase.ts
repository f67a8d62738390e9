import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { clusterMissing, startCitusCluster } from '../../test/citus/cluster.ts'
import type { WorldDatabase } from './database.ts'
import { nothingIfUnreachable, type QueriedDatabase, queryDatabase } from './queryDatabase.ts'

const main = join(import.meta.dirname, '../../src/main.ts')
const workers = 2

/**
 * Milliseconds between two searches of the coordinator for in-doubt transactions; the default is a minute. Rows that such a transaction
 * wrote are locked until then.
 */
const recoverMs = 3_000

/** Counts the nodes that answer, and their in-doubt transactions from before a moment. */
const nodesThatAnswer = `
SELECT count(*) FILTER (WHERE success)::int, coalesce(sum(CASE WHEN success THEN result::int END), 0)::int
FROM run_command_on_workers(format('SELECT count(*) FROM pg_prepared_xacts WHERE prepared < %L', $1::text))`

/** Resolves when all nodes answer and have no in-doubt transaction from before that. */
export async function untilWhole({
  rowsUnlessUnreachable,
}: Pick<QueriedDatabase, 'rowsUnlessUnreachable'>): Promise<void> {
  for (let since: string | undefined; ; await wait(50)) {
    const [now] = (await rowsUnlessUnreachable<[string]>('SELECT clock_timestamp()::text')) ?? []
    const [found] = (now && (await rowsUnlessUnreachable<[number, number]>(nodesThatAnswer, [since ?? now[0]]))) ?? []
    const isWhole = found?.[0] === workers
    if (isWhole && since !== undefined && found[1] === 0) return
    since = isWhole ? (since ?? now![0]) : undefined
  }
}

/** Starts a Citus cluster of a coordinator and two workers, and distributes the tables as an operator does. */
export async function startCitusDatabase(): Promise<WorldDatabase> {
  if (clusterMissing) throw new Error(`a world on Citus is ${clusterMissing}`)
  const cluster = await startCitusCluster()
  const connection = { connectionString: cluster.url }
  const requested = queryDatabase(connection)
  await requested.rows(`ALTER SYSTEM SET citus.recover_2pc_interval = ${recoverMs}`)
  await requested.rows('SELECT pg_reload_conf()')
  await promisify(execFile)(process.execPath, [main, 'migrate', '--distribute', '--database-url', cluster.url])

  /** The world stops and starts only one node at a time. */
  let last = Promise.resolve()
  const serially = (work: () => Promise<void>) => {
    const task = last.then(work)
    last = task.catch(() => undefined)
    return task
  }

  return {
    url: cluster.url,
    connection,
    ...requested,
    async untilBack() {
      await requested.untilBack()
      await untilWhole(requested)
    },
    async kill(what, random) {
      if (what === 'backend' && (await requested.killBackend(random).catch(nothingIfUnreachable))) return
      await serially(cluster.restartCoordinator)
    },
    workers,
    stopWorker: (worker, ms) =>
      serially(async () => {
        await cluster.stopWorker(worker as 1 | 2)
        await wait(ms)
        await cluster.startWorker(worker as 1 | 2)
      }),
    canFill: false,
    fillDisk: async () => undefined,
    clearDisk: () => undefined,
    stop: cluster.end,
  }
}
