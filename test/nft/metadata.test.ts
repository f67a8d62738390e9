import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodeAbiParameters, toFunctionSelector } from 'viem'
import { expect, inject, test } from 'vitest'
import { tokenTopic } from '../../src/chain/evm/source/tokenEvents.ts'
import { lockCollection } from '../../src/nft/collection/lock.ts'
import { type Address, type Hex, zeroAddress } from '../../src/util/hex.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { emitter } from '../contracts/artifacts/emitter.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { transferLogs } from '../contracts/transferLogs.ts'
import { lockWaits } from '../lockWaits.ts'
import { startMetadataHost } from '../metadataHost.ts'
import { createNftClient, type NftClient, type NftRecord, startTestServer, testApiKey } from '../mintmark.ts'
import { newCluster } from '../newCluster.ts'
import { freshSeed } from '../random.ts'
import { createRawServer } from '../rawServer.ts'
import { killProcess, startServiceProcess } from '../serviceProcess.ts'
import { system } from '../system.ts'
import { temporaryDataFolder } from '../temporaryFolder.ts'

type FullRecord = NftRecord & {
  token_uri: string | null
  metadata: string | null
  normalized_metadata: { name: string; attributes: { trait_type: string; value: string; trait_count: number }[] } | null
  last_token_uri_sync: string | null
  last_metadata_sync: string | null
}

/** Number of tokens. A soak uses as many as collections often have. */
const tokens = inject('rounds') > 1 ? 10_000 : 4_000

const config = {
  outbound: { allow: ['127.0.0.1'], perHostConcurrency: 50 },
  metadata: { retryDelaysMs: [50, 100, 200, 3_600_000], coolOffMs: 0 },
}

async function untilRead(client: NftClient, address: Address): Promise<void> {
  await expect
    .poll(async () => (await client.page(address, { limit: 1 })).headers.get('x-index-metadata-progress'))
    .toBe('1')
}

const records = async (client: NftClient, address: Address, query = {}) =>
  (await client.walk(address, query)) as unknown as FullRecord[]

async function deploy721(anvil: Anvil, host: { url: string }, tokens: bigint): Promise<Address> {
  const [holder] = anvil.accounts as [Address]
  const address = await anvil.deploy(plain721, ['Documented', 'DOC', `${host.url}/`])
  for (let first = 0n; first < tokens; first += 500n) {
    const count = tokens - first < 500n ? tokens - first : 500n
    await anvil.send({
      to: address,
      abi: plain721.abi,
      functionName: 'mintBatch',
      args: [holder, first, count],
      gas: 100_000_000n,
    })
  }
  await anvil.mine(10)
  return address
}

test('default: pages return metadata, its normalized form and trait counts', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  await using host = await startMetadataHost(1, {})
  await using server = await startTestServer({ rpc: [anvil.url], config })
  const address = await deploy721(anvil, host, 30n)
  await server.untilSynced(address, await anvil.blockNumber())
  await untilRead(server, address)
  for (const record of await records(server, address, { normalizeMetadata: true })) {
    const id = record.token_id
    expect(record.token_uri).toBe(`${host.url}/${id}`)
    expect(JSON.parse(record.metadata!)).toMatchObject({ name: `Token ${id}`, edition: 1 })
    expect(record.last_metadata_sync).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    // Thirty tokens cycle through four colours: eight each of the first two, seven each of the others.
    const [colour] = record.normalized_metadata!.attributes
    expect(colour).toMatchObject({ trait_type: 'Colour', trait_count: Number(id) % 4 < 2 ? 8 : 7 })
  }
  const [plain] = await records(server, address)
  expect(plain!.normalized_metadata).toBe(null)
  expect([...host.requests.values()].every((times) => times === 1)).toBe(true)
  // A token minted while the collection is live is read without a request for it.
  const [holder] = anvil.accounts as [Address]
  await anvil.send({ to: address, abi: plain721.abi, functionName: 'mint', args: [holder, 1_000n] })
  await expect.poll(() => host.served.get('/1000')).toBe(1)
})

test('behavior: data: URIs of an ERC-1155 are read without a host', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  await using server = await startTestServer({ rpc: [anvil.url], config })
  const [holder] = anvil.accounts as [Address]
  const address = await anvil.deploy(plain1155, ['Inline', 'INL'])
  await anvil.send({ to: address, abi: plain1155.abi, functionName: 'mintRange', args: [holder, 0n, 50n, 3n] })
  await server.untilSynced(address, await anvil.blockNumber())
  await untilRead(server, address)
  const all = await records(server, address)
  expect(all).toHaveLength(50)
  for (const { metadata, token_uri } of all) {
    expect(token_uri).toMatch(/^data:/)
    expect(JSON.parse(metadata!)).toBeTypeOf('object')
  }
})

test('behavior: an ERC-4906 event refreshes metadata, and the earlier version is kept', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  await using host = await startMetadataHost(1, {})
  await using server = await startTestServer({ rpc: [anvil.url], config })
  const [holder] = anvil.accounts as [Address]
  const to = await anvil.deploy(emitter, [])
  const uri = encodeAbiParameters([{ type: 'string' }], [`${host.url}/7`])
  await anvil.send({
    to,
    abi: emitter.abi,
    functionName: 'answer',
    args: [toFunctionSelector('tokenURI(uint256)'), false, uri],
  })
  const emit = (logs: { topics: Hex[]; data: Hex }[]) =>
    anvil.send({ to, abi: emitter.abi, functionName: 'emitLogs', args: [logs] } as never)
  await emit([transferLogs.erc721(zeroAddress, holder, 7n) as never])
  await server.untilSynced(to, await anvil.blockNumber())
  await untilRead(server, to)
  host.setEdition(2)
  await emit([{ topics: [tokenTopic.metadataUpdate], data: encodeAbiParameters([{ type: 'uint256' }], [7n]) }])
  await expect.poll(async () => JSON.parse((await records(server, to))[0]!.metadata!).edition).toBe(2)
  host.setEdition(3)
  await emit([
    {
      topics: [tokenTopic.batchMetadataUpdate],
      data: encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [0n, 50n]),
    },
  ])
  await expect.poll(async () => JSON.parse((await records(server, to))[0]!.metadata!).edition).toBe(3)
  const history = (await (await server.get(`/api/v2/nft/${to}/7/metadata/history?chain=local`)).json()) as {
    result: { metadata: string; until: string | null }[]
  }
  const editions = history.result.map((d) => [JSON.parse(d.metadata).edition, d.until === null])
  expect(editions).toEqual([
    [3, true],
    [2, false],
    [1, false],
  ])
  const resync = await server.get(`/api/v2/nft/${to}/7/metadata/resync?chain=local&flag=metadata&mode=async`)
  expect(resync.status).toBe(202)
  expect(await resync.json()).toMatchObject({ status: 'due', reason: null })
})

test('error: token URIs at a private address fail permanently with a reason', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  await using host = await startMetadataHost(1, { broken: 1 })
  await using server = await startTestServer({ rpc: [anvil.url], config: { ...config, outbound: { allow: [] } } })
  const address = await deploy721(anvil, host, 3n)
  await server.untilSynced(address, await anvil.blockNumber())
  await untilRead(server, address)
  expect(host.requests.size).toBe(0)
  const states = await server.database.db.rows('SELECT DISTINCT state, reason FROM token_metadata')
  expect(states).toHaveLength(1)
  expect(states[0]).toEqual(['permanent', expect.stringContaining('loopback')])
})

test('behavior: while a rate-limited host is backing off, its other tokens are not attempted', system, async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  await using host = await createRawServer((_request, socket) => {
    socket.end('HTTP/1.1 429 Too Many Requests\r\nretry-after: 60\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
  })
  await using server = await startTestServer({ rpc: [anvil.url], config })
  const address = await deploy721(anvil, host, 10_000n)
  await server.untilSynced(address, await anvil.blockNumber())
  const postponed = async () => {
    const [row] = await server.database.db.rows<[bigint]>('SELECT count(*) FROM metadata_due WHERE due_at > now()')
    return Number(row![0])
  }
  const resting = "SELECT 1 FROM collection WHERE metadata_due_at > now() + interval '20 seconds'"
  await expect.poll(async () => (await server.database.db.rows(resting)).length).toBe(1)
  expect(await postponed()).toBeGreaterThanOrEqual(500)
  expect(await postponed()).toBeLessThan(5_000)
})

test('behavior: a service stops while thousands of tokens wait for a blocked database write', system, async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const metadata = { ...config.metadata, concurrentDocuments: 1 }
  const server = await startTestServer({ rpc: [anvil.url], config: { ...config, metadata } })
  const address = await deploy721(anvil, { url: 'nowhere:' }, 20_000n)
  await server.untilSynced(address, await anvil.blockNumber())
  const { db } = server.database
  let closing: Promise<void> | undefined
  await db.transaction(async (tx) => {
    const tried = () => tx.rows('SELECT partition, id FROM collection WHERE metadata_tried > 0')
    await expect.poll(async () => (await tried()).length, { interval: 5 }).toBe(1)
    await tx.rows(lockCollection, (await tried())[0])
    await expect.poll(() => lockWaits(db)).toBeGreaterThan(0)
    const requested = async () =>
      /^mintmark_rpc_calls_total\{[^}]*"eth_call"[^}]*\} (\d+)$/m.exec(await (await server.get('/metrics')).text())?.[1]
    // Waits until no more URIs are requested, because the maximum number is held in memory.
    for (let last = await requested(), same = 0; same < 20; ) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      const now = await requested()
      same = now === last ? same + 1 : 0
      last = now
    }
    closing = server.close()
  })
  // A producer that waits for space would prevent the service from stopping.
  await closing
})

test(
  'behavior: all tokens of a host that fails, delays and rate-limits are read, across two kills of the service',
  system,
  async () => {
    const seed = freshSeed()
    process.stdout.write(`seed ${seed}\n`)
    await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
    await using host = await startMetadataHost(seed, {
      fail: 0.05,
      delay: 0.05,
      limit: 0.001,
      missing: 0.01,
      broken: 0.01,
    })
    const address = await deploy721(anvil, host, BigInt(tokens))
    const folder = await temporaryDataFolder()
    const configFile = join(folder, 'mintmark.config.json')
    const chains = { local: { id: '0x7a69', rpc: [anvil.url], pollIntervalMs: 50 } }
    await writeFile(
      configFile,
      JSON.stringify({
        port: 0,
        apiKey: testApiKey,
        dataDir: await newCluster(join(folder, 'data')),
        chains,
        ...config,
      }),
    )

    let service = await startServiceProcess(configFile)
    await createNftClient(service.url).page(address)
    for (const enough of [tokens / 5, tokens / 2]) {
      await expect.poll(() => host.served.size, { interval: 10 }).toBeGreaterThan(enough)
      await killProcess(service.child)
      service = await startServiceProcess(configFile)
    }
    const client = createNftClient(service.url)
    await untilRead(client, address)
    const expected = (id: string) => ['fail', 'delay', 'limit', 'good'].includes(host.fate(`/${id}`))
    await expect
      .poll(
        async () =>
          (await records(client, address)).filter((r) => (r.metadata !== null) !== expected(r.token_id)).length,
      )
      .toBe(0)
    const all = await records(client, address)
    expect(all).toHaveLength(tokens)
    for (const { token_id, metadata } of all) if (metadata) expect(JSON.parse(metadata).name).toBe(`Token ${token_id}`)
    // Only tokens that were in progress when the service was killed are read twice, a few hundred each time.
    const twice = [...host.served.values()].reduce((sum, times) => sum + times - 1, 0)
    expect(twice).toBeLessThan(1_500)
    service.child.kill('SIGTERM')
    await once(service.child, 'exit')
  },
)
