import { join } from 'node:path'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { newCluster } from '../test/newCluster.ts'
import { patience } from '../test/patience.ts'
import { createRpcServer } from '../test/rpcServer.ts'
import { createScriptedNode } from '../test/scriptedNode.ts'
import { temporaryDataFolder } from '../test/temporaryFolder.ts'
import { parseConfig } from './config.ts'
import { openSocketFolder, socketPort } from './db/embedded/socketFolder.ts'
import { silentLog } from './log.ts'
import { createService } from './service.ts'

test('behavior: a service whose follower waits for a long statement closes, with its embedded PostgreSQL', async () => {
  await using node = await createRpcServer(createScriptedNode({ blocks: 3 }).handler())
  const dataDir = await newCluster(await temporaryDataFolder())
  const config = parseConfig({
    ...{ port: 0, apiKey: 'key-of-this-test-0815', dataDir, shutdownTimeoutMs: 100 },
    chains: { local: { id: '0x7a69', rpc: [node.url], pollIntervalMs: 50 } },
  })
  const service = await createService({ config, log: silentLog })
  const { path: host, close } = openSocketFolder(join(dataDir, 'postgres'))
  const client = new pg.Client({ host, port: socketPort, user: 'postgres', database: 'postgres' })
  const ended = new Promise<void>((resolve) => client.on('error', () => resolve()))
  await client.connect()
  // Everything that a process writes of itself and of its leases waits now.
  await client.query('BEGIN; LOCK TABLE lease, worker IN ACCESS EXCLUSIVE MODE')
  const isWaiting = `SELECT count(*) > 0 AS waits FROM pg_locks WHERE NOT granted`
  await vi.waitUntil(async () => (await client.query(isWaiting)).rows[0].waits, patience)
  await service.close()
  await ended
  close()
  await expect(new pg.Client({ host, port: socketPort }).connect()).rejects.toThrow()
})
