// @module-tag citus

import { expect, onTestFinished, test } from 'vitest'
import { createPipeline } from '../../src/db/pipeline/pipeline.ts'
import { noopLog } from '../../src/util/log.ts'
import { runCommand } from '../commandLine.ts'
import { databaseUrl } from '../database.ts'
import { patience } from '../patience.ts'
import { clusterMissing } from './cluster.ts'
import { workersOfPartitions } from './nodes.ts'
import { startOwnCluster } from './ownCluster.ts'

test.skipIf(clusterMissing !== undefined)(
  'behavior: with one worker frozen, page queries to the other are answered first, and status reports it without the Citus timeout (skipped where no Citus is installed)',
  async () => {
    const { cluster, postgres, connection } = await startOwnCluster({ name: 'frozen', poolSize: 1 })
    const bounds = { statement_timeout: 5_000, query_timeout: 5_500 }
    const pages = createPipeline({
      ...{ connection: { ...connection, ...bounds }, connections: 3, queueTimeoutMs: 5_000, log: noopLog },
    })
    onTestFinished(pages.close)
    const nodes = await workersOfPartitions(connection, postgres.workers)
    const count = (worker: number) =>
      pages.rows('SELECT count(*) FROM token WHERE partition = $1', [nodes.indexOf(worker)])
    // Every connection has queried both nodes.
    for (let round = 0; round < 3; round++) await Promise.all([0, 0, 0, 0, 1, 1, 1, 1].map(count))

    await cluster.freezeWorker(1)
    onTestFinished(() => cluster.thawWorker(1))
    const settled: string[] = []
    const answered = (name: string, requested: Promise<unknown>) =>
      requested.then(
        () => settled.push(`${name} answered`),
        () => settled.push(`${name} failed`),
      )
    // Citus reports how long it waited. Its default is half a minute for each of three connections.
    expect(await runCommand(['status', '--database-url', databaseUrl(connection)])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/ the coordinator of the database cannot reach this node, .* after 3000 ms/),
    })
    const frozen = Array.from({ length: 30 }, () => answered('frozen', count(0)))
    for (let i = 0; i < 5; i++) await Promise.all(Array.from({ length: 8 }, () => answered('other', count(1))))
    expect(settled).toEqual(Array.from({ length: 40 }, () => 'other answered'))
    await Promise.all(frozen)
    expect(new Set(settled.slice(40))).toEqual(new Set(['frozen failed']))

    // Connections to the node work again after it recovers.
    cluster.thawWorker(1)
    await expect.poll(() => count(0).catch(String), patience).toEqual([[0n]])
  },
)
