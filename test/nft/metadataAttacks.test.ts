// @module-tag system

import { encodeAbiParameters, toHex } from 'viem'
import { expect, onTestFinished, test } from 'vitest'
import { tokenTopic } from '../../src/chain/evm/source/tokenEvents.ts'
import type { Database } from '../../src/db/database.ts'
import { tokenMetadata } from '../../src/nft/metadata/parse/tokenMetadata.ts'
import { markChanged } from '../../src/nft/metadata/store/markChanged.ts'
import { queueTokens } from '../../src/nft/metadata/store/metadataStore.ts'
import { settleMetadata } from '../../src/nft/metadata/store/settleMetadata.ts'
import { tokenHash } from '../../src/nft/transfers/tokenHash.ts'
import { type Address, type Hex, zeroAddress } from '../../src/util/hex.ts'
import { startAnvil } from '../anvil.ts'
import { emitter } from '../contracts/artifacts/emitter.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { transferLogs } from '../contracts/transferLogs.ts'
import { createTestDatabase } from '../database.ts'
import { startImageHost } from '../imageHost.ts'
import { startMetadataHost } from '../metadataHost.ts'
import { type NftClient, startTestServer } from '../mintmark.ts'
import { system } from '../system.ts'

const config = {
  outbound: { allow: ['127.0.0.1'] },
  metadata: { retryDelaysMs: [50, 3_600_000], coolOffMs: 0 },
}

const progress = async (client: NftClient, address: Address) =>
  Number((await client.page(address, { limit: 1 })).headers.get('x-index-metadata-progress'))

const rowsOf = async (db: Database) => {
  const [row] = await db.rows<[bigint, bigint, bigint, bigint]>(
    `SELECT (SELECT count(*) FROM metadata_due), (SELECT count(*) FROM token_metadata),
       (SELECT coalesce(sum(tokens), 0)::int8 FROM trait_count), (SELECT sum(metadata_tried)::int8 FROM collection)`,
  )
  return { due: row![0], read: row![1], traits: row![2], tried: row![3] }
}

test('behavior: a hanging metadata host slows down only its own collection', system, async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  await using good = await startMetadataHost(1, {})
  const paths = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`/${i}`, 'hangs' as const]))
  await using bad = await startImageHost({ images: () => ({}), files: paths })
  const [holder] = anvil.accounts as [Address]
  const deploy = async (url: string) => {
    const address = await anvil.deploy(plain721, ['Apes', 'APE', `${url}/`])
    const args = [holder, 0n, 300n] as const
    await anvil.send({ to: address, abi: plain721.abi, functionName: 'mintBatch', args, gas: 100_000_000n })
    return address
  }
  const [hanging, healthy] = [await deploy(bad.url), await deploy(good.url)]
  await anvil.mine(10)
  await using server = await startTestServer({
    rpc: [anvil.url],
    config: { ...config, outbound: { allow: ['127.0.0.1'], timeoutMs: 60_000, idleTimeoutMs: 60_000 } },
  })
  await server.untilSynced(hanging)
  await expect.poll(() => bad.requests.size).toBe(8)
  await server.untilSynced(healthy)
  await expect.poll(() => progress(server, healthy)).toBe(1)
  expect(bad.requests.size).toBe(8)
  expect(await progress(server, hanging)).toBeLessThan(1)
})

test('behavior: burned and reverted tokens have no pending metadata, and their traits are not counted', async () => {
  await using anvil = await startAnvil()
  await using host = await startMetadataHost(1, {})
  await using server = await startTestServer({ rpc: [anvil.url], config })
  const { db } = server.database
  const [holder] = anvil.accounts as [Address]
  const address = await anvil.deploy(plain721, ['Apes', 'APE', `${host.url}/`])
  const call = (functionName: 'mint' | 'burn', id: bigint) =>
    functionName === 'mint'
      ? anvil.send({ to: address, abi: plain721.abi, functionName, args: [holder, id] })
      : anvil.send({ to: address, abi: plain721.abi, functionName, args: [id] })
  for (let id = 0n; id < 4n; id++) await call('mint', id)
  await anvil.mine(3)
  await server.untilSynced(address, await anvil.blockNumber())
  await expect.poll(() => rowsOf(db)).toEqual({ due: 0n, read: 4n, traits: 4n, tried: 4n })

  // Due in an hour, as after a failure.
  await db.run(
    `INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at, attempts)
     SELECT partition, collection_id, token_hash, token_id, now() + interval '1 hour', 3 FROM token`,
  )
  await call('burn', 1n)
  await expect.poll(() => rowsOf(db)).toEqual({ due: 3n, read: 3n, traits: 3n, tried: 3n })
  const history = await server.get(`/api/v2/nft/${address}/1/metadata/history?chain=local`)
  expect(((await history.json()) as { result: unknown[] }).result).toHaveLength(1)
  expect((await server.get(`/api/v2/nft/${address}/1/metadata/resync?chain=local`)).status).toBe(404)

  await call('mint', 9n)
  await expect.poll(() => rowsOf(db)).toEqual({ due: 3n, read: 4n, traits: 4n, tried: 4n })
  // The mint of 9 and the burn of 1 are undone. Metadata of 9 is removed, and 1 is read again.
  await anvil.reorg(2)
  const remaining = () =>
    db.rows(
      'SELECT t.token_id FROM token_metadata JOIN token t USING (partition, collection_id, token_hash) ORDER BY 1',
    )
  await expect.poll(async () => (await remaining()).flat()).toEqual(['0', '1', '2', '3'])
  expect(await rowsOf(db)).toEqual({ due: 3n, read: 4n, traits: 4n, tried: 4n })
})

test('behavior: metadata events of nonexistent tokens cause no calls and no rows', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  await using server = await startTestServer({ rpc: [anvil.url], config })
  const { db } = server.database
  const [holder] = anvil.accounts as [Address]
  const to = await anvil.deploy(emitter, [])
  const emit = (logs: { topics: readonly Hex[]; data: Hex }[]) =>
    anvil.send({ to, abi: emitter.abi, functionName: 'emitLogs', args: [logs], gas: 100_000_000n } as never)
  await emit([transferLogs.erc721(zeroAddress, holder, 7n)])
  await server.untilSynced(to, await anvil.blockNumber())
  await expect.poll(() => rowsOf(db)).toMatchObject({ read: 1n, due: 0n })
  const flood = Array.from({ length: 500 }, (_, i) => ({
    topics: [tokenTopic.metadataUpdate],
    data: toHex(BigInt(i) * 1_000_003n + 8n, { size: 32 }),
  }))
  const ranges = Array.from({ length: 300 }, (_, i) => ({
    topics: [tokenTopic.batchMetadataUpdate],
    data: encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [BigInt(i) * 90n, BigInt(i) * 90n + 89n]),
  }))
  await emit(flood)
  await emit(ranges)
  const mark = await anvil.blockNumber()
  await server.untilSynced(to, mark)
  expect(await rowsOf(db)).toMatchObject({ read: 1n, tried: 1n })
  // So many updates result in one sweep of the collection, ten minutes after the last one.
  expect(await db.rows('SELECT metadata_unswept FROM collection')).toEqual([[true]])
})

test('behavior: concurrent transactions that settle, announce and request metadata never deadlock', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { db } = database
  const address: Address = `0x${'12'.repeat(20)}`
  const ids = Array.from({ length: 200 }, (_, i) => String(i))
  await db.run(`INSERT INTO worker (host, pid) VALUES ('test', 1)`)
  await db.run(`INSERT INTO lease (kind, key, worker_id) VALUES ('partition', 1, 1)`)
  await db.run(
    `INSERT INTO collection (partition, chain_id, address, status, standard) VALUES (1, 1, '\\x12', 'live', 'ERC721')`,
  )
  const hashes = ids.map((id) => tokenHash(address, id))
  await db.run(
    `INSERT INTO token SELECT 1, 1, h::uuid, i, '\\x01', '\\x01', 1, 1, 1, 1 FROM unnest($1::text[], $2::numeric[]) AS t (h, i)`,
    [hashes, ids],
  )
  const collection = { partition: 1, id: 1n, chainId: 1n, address, standard: 'ERC721' as const, idInData: false }
  const [before] = await db.rows<[bigint]>('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()')
  const work = Array.from({ length: 20 }, (_, round) => {
    const order = round % 2 === 0 ? ids : ids.toReversed()
    const dueAt = new Date()
    const text = JSON.stringify({ name: `round ${round}` })
    const metadata = tokenMetadata(text, JSON.parse(text), 0n)
    return [
      settleMetadata(db, {
        collection,
        worker: 1,
        coolOffMs: 0,
        settled: order.map((id) => ({
          token: { hash: tokenHash(address, id), tokenId: BigInt(id), attempts: 0, dueAt, announcedAt: null },
          outcome: { state: 'ok' as const, uri: 'x', metadata },
          at: new Date(),
        })),
      }),
      db.transaction((tx) =>
        markChanged(
          tx,
          {
            received: [],
            changed: order.map((tokenId) => ({ collection, tokenId })),
            burned: [],
            ranges: [],
            contracts: [],
          },
          0,
        ),
      ),
      queueTokens(
        db,
        order.map((id) => ({ ...collection, hash: tokenHash(address, id), tokenId: id })),
      ),
    ]
  })
  await Promise.all(work.flat())
  // An idle session reports its statistics, at most a second later.
  await db.rows('SELECT pg_stat_force_next_flush()')
  const [after] = await db.rows<[bigint]>('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()')
  expect(after![0]).toBe(before![0])
})

test(
  'behavior: a page of tokens with a megabyte of metadata each is cut short, and paging returns every token',
  system,
  async () => {
    await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
    const image = `data:image/png;base64,${'A'.repeat(700_000)}`
    const images = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [i, image]))
    await using host = await startImageHost({ images: () => images, files: {} })
    await using server = await startTestServer({ rpc: [anvil.url], config: { ...config, pageCache: { maxBytes: 0 } } })
    const [holder] = anvil.accounts as [Address]
    const address = await anvil.deploy(plain721, ['Big', 'BIG', `${host.url}/`])
    await anvil.send({ to: address, abi: plain721.abi, functionName: 'mintBatch', args: [holder, 0n, 100n] })
    await anvil.mine(10)
    await server.untilSynced(address, await anvil.blockNumber())
    await expect.poll(() => progress(server, address)).toBe(1)
    for (const query of [{}, { normalizeMetadata: true, media_items: true }]) {
      const { body } = await server.page(address, query)
      expect(body.result.length).toBeGreaterThan(0)
      expect(JSON.stringify(body).length).toBeLessThan(20_000_000)
      const all = await server.walk(address, query)
      expect(new Set(all.map((record) => record.token_id)).size).toBe(100)
      expect(all).toHaveLength(100)
    }
  },
)
