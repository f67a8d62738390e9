import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { lockWaits } from '../../../test/lockWaits.ts'
import { seedLeasedCollection } from '../../../test/seedLease.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import type { OpenChain, OpenChains } from '../../sync/openChains.ts'
import type { Address } from '../../util/hex.ts'
import { noopLog } from '../../util/log.ts'
import { createWaker } from '../../util/wait.ts'
import { lockCollection } from '../collection/lock.ts'
import type { CollectionState } from '../query.ts'
import type { Origins } from './fetchMetadata.ts'
import { readSlice } from './readSlice.ts'
import { createMetadataDemand } from './store/createMetadataDemand.ts'
import { endMetadataSlice } from './store/metadataStore.ts'
import { markStale, requestAllMetadata, sweepPart } from './store/sweep.ts'

const worker = 7
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** A host whose answers the test controls. */
function createSlowHost() {
  const requested: string[] = []
  const open: { id: string; answer: (metadata: object) => void }[] = []
  let most = 0
  const origins = {
    http: {
      pausedMs: () => 0,
      get: (url: string) =>
        new Promise((resolve) => {
          const id = new URL(url).pathname.slice(1)
          requested.push(id)
          const answer = (metadata: object) =>
            resolve({ body: Buffer.from(JSON.stringify(metadata)), contentType: 'application/json' })
          open.push({ id, answer })
          most = Math.max(most, open.filter((one) => one.id === id).length)
        }),
    },
  } as unknown as Origins
  return {
    ...{ origins, requested },
    /** The most concurrent requests for one token. */
    most: () => most,
    /** Responds to the oldest waiting request, once there is one. */
    async answer(metadata: object = { name: 'A' }): Promise<string> {
      await expect.poll(() => open.length, { interval: 5 }).toBeGreaterThan(0)
      const { id, answer } = open.shift()!
      answer(metadata)
      return id
    },
  }
}

/** Makes a collection whose first `dueTokens` tokens are due, and its time slices. A slow host returns the metadata of one token at a time. */
async function seed(count: number, dueTokens = count) {
  const { db } = database
  const ids = Array.from({ length: count }, (_, i) => BigInt(i))
  const { address, ...key } = await seedLeasedCollection(db, { tokens: ids, worker })
  const values = [key.partition, key.id]
  await db.run(
    `INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at)
     SELECT partition, collection_id, token_hash, token_id, date_trunc('milliseconds', now()) - make_interval(hours => 1, secs => token_id::int / 1000.0)
     FROM token WHERE partition = $1 AND collection_id = $2 AND token_id < $3`,
    [...values, dueTokens],
  )
  const host = createSlowHost()
  const uris: { id: string; metadata: number }[] = []
  const tokenUris = async (_address: Address, _standard: string, requested: readonly bigint[]) => {
    for (const id of requested) uris.push({ id: String(id), metadata: host.requested.length })
    return requested.map((id) => `https://slow.example/${id}`)
  }
  const chains = { open: async () => ({ contracts: { tokenUris } }) as unknown as OpenChain } as unknown as OpenChains
  const options = {
    ...{ db, chains, log: noopLog, metrics: createMetrics(), waker: createWaker(), origins: host.origins },
    leases: { serving: () => worker } as unknown as Leases,
    settings: { concurrentCollections: 1, concurrentDocuments: 1, retryDelaysMs: [60_000], coolOffMs: 0 },
    ...{ isBusy: () => false, pace: async () => undefined, signal: new AbortController().signal },
  }
  const state = key as unknown as CollectionState
  return {
    ...{ key, host },
    /** Number of metadata requests before each query of the contract for a token's URI. */
    requestedUris: (id: string) => uris.filter((one) => one.id === id).map(({ metadata }) => metadata),
    runSlice: () => readSlice(options, { ...key, chainId: 1n, address, standard: 'ERC721', mixed: false }),
    resync: (tokenId: bigint) => createMetadataDemand({ db }).resync([{ state, address, tokenId }]),
    readDue: async () => {
      const sql = 'SELECT token_id FROM metadata_due WHERE partition = $1 AND collection_id = $2 ORDER BY token_id'
      return (await db.rows<[string]>(sql, values)).flat()
    },
    nameOf: async (id: bigint) => {
      const [row] = await db.rows<[string]>(
        `SELECT m.record FROM token_metadata m JOIN token t USING (partition, collection_id, token_hash)
         WHERE m.partition = $1 AND m.collection_id = $2 AND t.token_id = $3`,
        [...values, String(id)],
      )
      return /name\W+(\w+)/.exec(row?.[0] ?? '')?.[1]
    },
  }
}

test('behavior: a token that a client requests is read before all others, even those whose URIs are known', async () => {
  const { runSlice, host, resync, requestedUris } = await seed(60)
  const reading = runSlice()
  expect(await host.answer()).toBe('59')
  // The service has read the URI of the last token, so this URI is known.
  await expect.poll(() => requestedUris('0')).toHaveLength(1)
  await resync(0n)
  let answers = 1
  // The reader checks for newly due tokens after at most sixteen fetches.
  for (; answers < 18 && requestedUris('0').length === 1; answers++) await host.answer()
  await expect.poll(() => requestedUris('0')).toHaveLength(2)
  for (; answers < 60; answers++) await host.answer()
  await reading
  // The service may have requested one more token's metadata before the contract responded.
  expect(host.requested.indexOf('0')).toBeLessThanOrEqual(requestedUris('0')[1]! + 1)
  expect(new Set(host.requested).size).toBe(60)
  expect(host.requested).toHaveLength(60)
})

test('behavior: pending tokens from events or clients are read first, then those of a range, then the others', async () => {
  const { runSlice, host, resync, key, readDue } = await seed(6)
  await markStale(database.db, key, '{[1,2),[3,4)}')
  await database.db.transaction((tx) => sweepPart(tx, key, 0))
  await resync(0n)
  await resync(3n)
  const reading = runSlice()
  const order: string[] = []
  while (order.length < 6) order.push(await host.answer())
  await reading
  expect(order).toEqual(['0', '3', '1', '5', '4', '2'])
  expect(await readDue()).toEqual([])
})

test('behavior: a token requested while its metadata is fetched is fetched again afterwards, never concurrently', async () => {
  const { runSlice, host, resync, readDue, nameOf } = await seed(1)
  const reading = runSlice()
  await expect.poll(() => host.requested.length).toBe(1)
  expect(await resync(0n)).toMatchObject([{ status: 'due' }])
  await host.answer({ name: 'before' })
  await reading
  // The metadata is stored, and the token is still due because of the request made meanwhile.
  expect(await nameOf(0n)).toBe('before')
  expect(await readDue()).toEqual(['0'])
  const again = runSlice()
  await host.answer({ name: 'after' })
  await again
  expect(await nameOf(0n)).toBe('after')
  expect(await readDue()).toEqual([])
  expect(host.most()).toBe(1)
})

test('behavior: an update of all tokens during a fetch has each token read again, none concurrently', async () => {
  const { runSlice, host, key, readDue } = await seed(5)
  const reading = runSlice()
  await expect.poll(() => host.requested.length).toBe(1)
  await requestAllMetadata(database.db, key)
  await database.db.transaction((tx) => sweepPart(tx, key, 0))
  for (let i = 0; i < 5; i++) await host.answer()
  await reading
  // Tokens that were only waiting are read once.
  expect(await readDue()).toContain('4')
  for (let slices = 0; (await readDue()).length > 0; slices++) {
    expect(slices).toBeLessThan(3)
    const pending = (await readDue()).length
    const again = runSlice()
    for (let i = 0; i < pending; i++) await host.answer()
    await again
  }
  expect(host.most()).toBe(1)
})

test('behavior: a token that becomes due while a time slice ends is read in a later one', async () => {
  const { key, readDue } = await seed(2, 0)
  const { db } = database
  const values = [key.partition, key.id]
  let ended: Promise<void> | undefined
  await db.transaction(async (tx) => {
    await tx.rows(lockCollection, values)
    ended = endMetadataSlice(db, { ...key, chainId: 1n, address: '0x', standard: 'ERC721', mixed: false })
    await expect.poll(() => lockWaits(db), { interval: 5 }).toBe(1)
    await tx.run(
      `INSERT INTO metadata_due (partition, collection_id, token_hash, token_id, due_at)
       SELECT partition, collection_id, token_hash, token_id, now() FROM token WHERE partition = $1 AND collection_id = $2`,
      values,
    )
    await tx.run('UPDATE collection SET metadata_due_at = now() WHERE partition = $1 AND id = $2', values)
  })
  await ended
  expect(await readDue()).toHaveLength(2)
  expect(
    await db.rows('SELECT metadata_due_at <= now() FROM collection WHERE partition = $1 AND id = $2', values),
  ).toEqual([[true]])
})
