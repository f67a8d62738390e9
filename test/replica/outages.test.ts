// @module-tag system

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startAnvil } from '../anvil.ts'
import { runCommand } from '../commandLine.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { startTestServer } from '../mintmark.ts'
import { patience } from '../patience.ts'
import { startReplicated } from '../startReplicated.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { startReplicatedService } from './replicatedService.ts'

type Failure = { message: string; details?: { waitingFor?: string[] } }

test('behavior: while the replica is unreachable, pages return 503 with the reason, writes work, and pages recover with it', async () => {
  const { anvil, indexer, server, replica } = await startReplicatedService()
  const contract = await anvil.deploy(plain721, ['Away', 'AWY', ''])
  await anvil.send({ to: contract, abi: plain721.abi, functionName: 'mint', args: [anvil.accounts[0]!, 1n] })
  await server.untilSynced(contract, await anvil.blockNumber())
  const page = () => server.get(`/api/v2/nft/${contract}?chain=local`)

  await replica.stop()
  // A page of a moment ago may come from the cache.
  await expect.poll(async () => (await page()).status, patience).toBe(503)
  const during = await page()
  expect([during.status, during.headers.get('retry-after')]).toEqual([503, '2'])
  expect(((await during.json()) as Failure).message).toContain('the read replica cannot be reached')
  await expect
    .poll(async () => ((await (await server.get('/ready')).json()) as Failure).details?.waitingFor, patience)
    .toEqual(['replica'])
  expect(((await (await page()).json()) as Failure).message).toContain('the read replica cannot be reached')
  expect(await (await server.get('/metrics')).text()).toMatch(/^mintmark_replica_up\{replica=".+"\} 0$/m)
  const again = `/api/v2/nft/${contract}/1/metadata/resync?chain=local`
  expect((await server.get(again)).status).toBe(202)
  for (const path of ['/admin/collections', '/streams/evm?limit=5', '/health'])
    expect((await server.get(path)).status, path).toBe(200)
  expect((await indexer.get('/ready')).status).toBe(200)

  await anvil.send({ to: contract, abi: plain721.abi, functionName: 'mint', args: [anvil.accounts[0]!, 2n] })
  await replica.start()
  const { result } = await server.untilSynced(contract, await anvil.blockNumber())
  expect(result).toHaveLength(2)
  await expect.poll(async () => (await server.get('/ready')).status, patience).toBe(200)
})

test('behavior: an unresponsive replica is reported within seconds, and its pages return 503', async () => {
  const { anvil, server, proxy } = await startReplicatedService()
  const contract = await anvil.deploy(plain721, ['Still', 'STL', ''])
  await server.untilSynced(contract, await anvil.blockNumber())
  proxy.freeze()
  const statuses = new Set<number>()
  const isReady = async () => (await server.get('/ready')).status === 200
  // About four requests: one page waits five seconds for its statement, and meanwhile the replica is found unresponsive.
  for (let limit = 1; (await isReady()) && limit < 20; limit++)
    statuses.add((await server.get(`/api/v2/nft/${contract}?chain=local&limit=${limit}`)).status)
  expect(await isReady()).toBe(false)
  statuses.add((await server.get(`/api/v2/nft/${contract}?chain=local&limit=50`)).status)
  expect([...statuses].filter((status) => status !== 200)).toEqual([503])
  proxy.mend()
  await expect.poll(async () => (await server.get('/ready')).status, patience).toBe(200)
})

test('behavior: no page is read from a replica that was promoted to primary', async () => {
  const { anvil, server, replica } = await startReplicatedService()
  const contract = await anvil.deploy(plain721, ['Own', 'OWN', ''])
  await anvil.send({ to: contract, abi: plain721.abi, functionName: 'mint', args: [anvil.accounts[0]!, 1n] })
  await server.untilSynced(contract, await anvil.blockNumber())
  await replica.promote()
  const page = () => server.get(`/api/v2/nft/${contract}?chain=local`)
  await expect.poll(async () => (await page()).status, patience).toBe(503)
  expect(((await (await page()).json()) as Failure).message).toContain('is not a replica')
  expect(((await (await server.get('/ready')).json()) as Failure).details?.waitingFor).toEqual(['replica'])
})

test('error: the start rejects a databaseReadUrl that is no replica, or a replica of a copy of the database', async () => {
  await using anvil = await startAnvil()
  const [ours, theirs] = [await startReplicated(), await startReplicated()]
  const start = (databaseReadUrl: string) =>
    startTestServer({ rpc: [anvil.url], database: ours.primary, config: { role: 'api', databaseReadUrl } })
  await expect(start(ours.primary.url)).rejects.toMatchObject({ code: 'REPLICA' })
  // The copy's replica has changes that the primary never made.
  for (let row = 0; row < 300; row++)
    await theirs.primary.db.run(`INSERT INTO process (id, role, version, host, pid, started_at)
      VALUES (gen_random_uuid(), 'api', repeat('x', 1000), 'h', 1, now())`)
  await theirs.replica.untilReplayed()
  await expect(start(theirs.replica.url)).rejects.toMatchObject({
    code: 'REPLICA',
    message: expect.stringContaining('databaseReadUrl leads to a server that follows another server'),
  })
  // A role that serves no pages does not read the replica.
  const deliverer = await startTestServer({
    ...{ rpc: [anvil.url], database: ours.primary },
    config: { role: 'deliver', databaseReadUrl: ours.primary.url },
  })
  await deliverer.close()
})

test('behavior: mintmark status shows the lag of the replica, whether its replay is paused, and its errors', async () => {
  const { primary, replica } = await startReplicated()
  const file = join(await temporaryFolder(), 'mintmark.config.json')
  await writeFile(file, JSON.stringify({ databaseUrl: primary.url, databaseReadUrl: replica.url }))
  const status = async () => (await runCommand(['status', '--config', file])).out
  await replica.untilReplayed()
  await replica.pause()
  await primary.db.run(
    `INSERT INTO process (id, role, version, host, pid, started_at) VALUES (gen_random_uuid(), 'api', '1', 'h', 1, now())`,
  )
  expect(await status()).toMatch(
    /^read replica .*: \d+\.\d kB behind, shows the state of \d+\.\d s ago, replay is paused$/m,
  )
  await replica.resume()
  await replica.untilReplayed()
  expect(await status()).toMatch(/^read replica .*: (?:up to date|.* kB behind, shows the state of [\d.]+ s ago)$/m)
  await replica.stop()
  expect(await status()).toMatch(/^read replica .*: pages cannot be read from it: no response \(/m)
})

test('behavior: connections that the replica terminates cause no failed page', async () => {
  const { anvil, server, replica } = await startReplicatedService({ pageCache: { maxBytes: 0, freshMs: 0 } })
  const contract = await anvil.deploy(plain721, ['Cut', 'CUT', ''])
  await anvil.send({ to: contract, abi: plain721.abi, functionName: 'mint', args: [anvil.accounts[0]!, 1n] })
  await server.untilSynced(contract, await anvil.blockNumber())
  const statuses = new Map<number, number>()
  let isOver = false
  const requesting = Array.from({ length: 4 }, async (_, i) => {
    for (let n = 0; !isOver; n++) {
      const { status } = await server.get(`/api/v2/nft/${contract}?chain=local&limit=${1 + ((i + n) % 100)}`)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  })
  const end = `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE 'mintmark%' AND pid <> pg_backend_pid()`
  for (let round = 0; round < 20; round++) {
    await replica.db.rows(end).catch(() => undefined)
    const before = statuses.get(200) ?? 0
    await expect.poll(() => statuses.get(200) ?? 0, patience).toBeGreaterThan(before + 5)
  }
  isOver = true
  await Promise.all(requesting)
  expect([...statuses.keys()]).toEqual([200])
})
