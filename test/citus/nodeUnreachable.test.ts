// @module-tag citus

import { expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '../../src/config/config.ts'
import { createService } from '../../src/service.ts'
import { createLog, noopLog } from '../../src/util/log.ts'
import { startAnvil } from '../anvil.ts'
import { runCommand } from '../commandLine.ts'
import { databaseUrl } from '../database.ts'
import { testApiKey } from '../mintmark.ts'
import { patience } from '../patience.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { clusterMissing } from './cluster.ts'
import { startOwnCluster } from './ownCluster.ts'

type Line = { event: string; node?: string; reason?: string }

test.skipIf(clusterMissing !== undefined)(
  'behavior: an unreachable node appears in log, overview, status, /ready and metrics, and pausing a chain then fails without effect (skipped where no Citus is installed)',
  async () => {
    const { cluster, postgres, connection, db } = await startOwnCluster({ name: 'node_away', poolSize: 1 })
    const url = databaseUrl(connection)
    await using anvil = await startAnvil()
    const lines: Line[] = []
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
    const service = await createService({
      config: parseConfig({
        ...{ port: 0, apiKey: testApiKey, databaseUrl: url, dataDir: await temporaryFolder() },
        chains: { local: { id: '0x7a69', rpc: [anvil.url] } },
      }),
      log: createLog({ level: 'info', mask: (text) => text, destination }),
    })
    onTestFinished(service.close)
    const request = async (path: string, method = 'GET') => {
      const response = await fetch(service.url + path, { method, headers: { 'x-api-key': testApiKey } })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    const pauses = async () => (await db.rows<[number]>('SELECT count(*)::int FROM chain_pause'))[0]![0]
    const reported = (event: string) => lines.filter((line) => line.event === event).map(({ node }) => node)

    await expect.poll(() => request('/ready'), patience).toEqual({ status: 200, body: { status: 'ready' } })
    // A busy machine may not read a part in time, and then the part is missing from one response.
    await expect
      .poll(async () => (await request('/admin/overview')).body, patience)
      .toMatchObject({ nodesAway: [], missing: [] })

    await cluster.stopWorker(1)
    const { host, port } = postgres.workers[0]!
    const node = `${host}:${port}`
    await expect.poll(() => reported('database node unreachable'), patience).toEqual([node])
    expect(await request('/ready')).toEqual({ status: 200, body: { status: 'ready', nodesAway: 1 } })
    await expect
      .poll(async () => (await request('/admin/overview')).body, patience)
      .toMatchObject({
        nodesAway: [node],
        processes: [{ role: 'all' }],
        queue: { collections: null, webhooks: null },
        missing: expect.arrayContaining([
          { part: 'queue.collections', reason: 'a part of the database cannot be reached' },
        ]),
      })
    expect(await request('/admin/chains/local/pause', 'POST')).toMatchObject({
      status: 503,
      body: { message: 'a part of the database cannot be reached at the moment; retry' },
    })
    expect(await pauses()).toBe(0)
    for (const command of [['status'], ['chains', 'pause', 'local']])
      expect(await runCommand([...command, '--database-url', url])).toMatchObject({
        code: 1,
        err: expect.stringContaining(`${node}: the coordinator of the database cannot reach this node`),
      })
    expect(await pauses()).toBe(0)
    const metrics = await fetch(`${service.url}/metrics`, { headers: { 'x-api-key': testApiKey } })
    expect(await metrics.text()).toMatch(/^mintmark_database_nodes_unreachable 1$/m)
    expect(reported('database unreachable')).toEqual([])
    expect(lines.find(({ event }) => event === 'database node unreachable')?.reason).toMatch(/^failed to connect to /)
    // A process that starts meanwhile serves the data of the other nodes.
    const second = await createService({
      config: parseConfig({
        ...{ port: 0, role: 'api', apiKey: testApiKey, databaseUrl: url, dataDir: await temporaryFolder() },
        chains: { local: { id: '0x7a69', rpc: [anvil.url] } },
      }),
      log: noopLog,
    })
    onTestFinished(second.close)
    const readiness = async () => (await fetch(`${second.url}/ready`)).json()
    await expect.poll(readiness, patience).toEqual({ status: 'ready', nodesAway: 1 })

    await cluster.startWorker(1)
    await expect.poll(() => reported('database node recovered'), patience).toEqual([node])
    expect(await request('/ready')).toEqual({ status: 200, body: { status: 'ready' } })
    await expect
      .poll(async () => (await request('/admin/chains/local/pause', 'POST')).body, patience)
      .toMatchObject({ changed: true, pausedAt: expect.any(String) })
    expect(await pauses()).toBe(1)
    expect((await runCommand(['status', '--database-url', url])).code).toBe(0)
  },
)
