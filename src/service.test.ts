import { join } from 'node:path'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { newCluster } from '../test/newCluster.ts'
import { patience } from '../test/patience.ts'
import { createRpcServer } from '../test/rpcServer.ts'
import { createScriptedNode } from '../test/scriptedNode.ts'
import { system } from '../test/system.ts'
import { temporaryDataFolder } from '../test/temporaryFolder.ts'
import { parseConfig } from './config/config.ts'
import { openSocketFolder, socketPort } from './db/embedded/socketFolder.ts'
import { createService } from './service.ts'
import { noopLog } from './util/log.ts'

test(
  'behavior: a service closes with its embedded PostgreSQL while its follower waits for a long statement',
  system,
  async () => {
    await using node = await createRpcServer(createScriptedNode({ blocks: 3 }).handler())
    const dataDir = await newCluster(await temporaryDataFolder())
    const config = parseConfig({
      ...{ port: 0, apiKey: 'key-of-this-test-0815', dataDir, shutdownTimeoutMs: 100 },
      chains: { local: { id: '0x7a69', rpc: [node.url], pollIntervalMs: 50 } },
    })
    const service = await createService({ config, log: noopLog })
    const { path: host, close } = openSocketFolder(join(dataDir, 'postgres'))
    const client = new pg.Client({ host, port: socketPort, user: 'postgres', database: 'postgres' })
    const ended = new Promise<void>((resolve) => client.on('error', () => resolve()))
    await client.connect()
    await client.query(
      `INSERT INTO collection (partition, chain_id, address, status, standard, from_block, to_block)
     VALUES (0, 31337, decode(repeat('aa', 20), 'hex'), 'live', 'ERC721', 0, 0)`,
    )
    const isTrue = (sql: string) => async () =>
      (await client.query({ text: sql, rowMode: 'array' })).rows[0]?.[0] === true
    await vi.waitUntil(isTrue('SELECT block_number IS NOT NULL FROM chain'), patience)
    // The follower's next statement waits now, as for a lock that another transaction holds for minutes.
    await client.query('BEGIN; LOCK TABLE chain IN ACCESS EXCLUSIVE MODE')
    await vi.waitUntil(isTrue('SELECT count(*) > 0 FROM pg_locks WHERE NOT granted'), patience)
    await service.close()
    await ended
    close()
    await expect(new pg.Client({ host, port: socketPort }).connect()).rejects.toThrow()
  },
)
