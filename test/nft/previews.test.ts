import { expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { silentLog } from '../../src/log.ts'
import { createService } from '../../src/service.ts'
import type { Address } from '../../src/util/hex.ts'
import { createTestDatabase } from '../database.ts'
import { startImageHost } from '../imageHost.ts'
import { endlessSvg, flag } from '../images.ts'
import { createNftClient, testApiKey } from '../mintmark.ts'
import { previewWorkers } from '../previewWorkers.ts'
import { seedCollection } from '../seedCollection.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

/** A server with these collections, whose tokens show these paths of one host, or whole addresses elsewhere. */
async function serveCollections(options: {
  collections: Record<Address, readonly string[]>
  files: Record<string, Buffer>
  media: { timeoutMs: number; workers?: number }
  /** Of a request to a host. */
  timeoutMs?: number
}) {
  const database = await createTestDatabase()
  const host = await startImageHost({
    images: () => ({}),
    files: Object.fromEntries(
      Object.entries(options.files).map(([path, bytes]) => [path, { type: 'image/svg+xml', bytes }]),
    ),
  })
  for (const [address, paths] of Object.entries(options.collections) as [Address, readonly string[]][]) {
    const tokens = paths.map((_, i) => BigInt(i))
    const { partition, id } = await seedCollection(database.db, { address, tokens })
    await database.db.run(
      `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, record, media_url, tried_at)
       SELECT partition, collection_id, token_hash, 'ok', 0, '"token_uri":null,"metadata":null',
         ($3::text[])[token_id::int + 1], now()
       FROM token WHERE partition = $1 AND collection_id = $2`,
      [partition, id, paths.map((path) => (path.startsWith('/') ? host.url + path : path))],
    )
  }
  const service = await createService({
    config: parseConfig({
      port: 0,
      apiKey: testApiKey,
      databaseUrl: database.url,
      dataDir: await temporaryFolder(),
      chains: { eth: { rpc: ['http://127.0.0.1:1'] } },
      outbound: { allow: ['127.0.0.1'], ...(options.timeoutMs && { timeoutMs: options.timeoutMs }) },
      media: options.media,
    }),
    log: silentLog,
  })
  onTestFinished(async () => {
    await service.close()
    await host[Symbol.asyncDispose]()
    await database.drop()
  })
  const client = createNftClient(service.url, 'eth')
  return {
    db: database.db,
    /** Status of the previews by token id, asking for those that nobody asked for. */
    async statuses(address: Address): Promise<string[]> {
      const records = (await client.walk(address, { media_items: true })) as unknown as {
        media: { status: string } | null
      }[]
      return records.map(({ media }) => media?.status ?? 'none')
    },
    /** Images that workers were given, by what came of them. */
    async counted(): Promise<Record<string, number>> {
      const text = await (await client.get('/metrics')).text()
      const lines = text.matchAll(/^mintmark_previews_total\{result="(\w+)"\} (\d+)$/gm)
      return Object.fromEntries([...lines].map(([, result, count]) => [result!, Number(count)]))
    },
  }
}

const hostile: Address = `0x${'0b'.repeat(20)}`
const innocent: Address = `0x${'0a'.repeat(20)}`

test('behavior: a collection of endless images keeps no worker from another, on the same host too', async () => {
  const slow = Array.from({ length: 20 }, (_, i) => `/slow-${i}.svg`)
  const small = ['/1.png', '/2.png', '/3.png']
  const { statuses } = await serveCollections({
    collections: { [hostile]: slow, [innocent]: small },
    files: {
      ...Object.fromEntries(slow.map((path, i) => [path, endlessSvg(i)])),
      ...Object.fromEntries(
        await Promise.all(
          small.map(
            async (path, i) =>
              [
                path,
                await flag(100 + i, 100)
                  .png()
                  .toBuffer(),
              ] as const,
          ),
        ),
      ),
    },
    media: { timeoutMs: 300_000, workers: 2 },
  })
  await statuses(hostile)
  await expect.poll(() => previewWorkers().length).toBe(2)
  await expect.poll(() => statuses(innocent)).toEqual(['success', 'success', 'success'])
  expect(new Set(await statuses(hostile))).toEqual(new Set(['processing']))
})

test('behavior: a host that hangs, shown by any number of collections, keeps no place from another', async () => {
  await using hanging = await startImageHost({ images: () => ({}), files: { '/hangs': 'hangs' } })
  const many = Array.from({ length: 60 }, (_, i): Address => `0x${String(i + 1).padStart(40, '0')}`)
  const { statuses } = await serveCollections({
    collections: {
      ...Object.fromEntries(many.map((address) => [address, [`${hanging.url}/hangs`]])),
      [innocent]: ['/1.png'],
    },
    files: { '/1.png': await flag(100, 100).png().toBuffer() },
    media: { timeoutMs: 300_000 },
    timeoutMs: 300_000,
  })
  for (const address of many) await statuses(address)
  await expect.poll(() => hanging.requests.get('/hangs') ?? 0).toBeGreaterThan(0)
  await expect.poll(() => statuses(innocent)).toEqual(['success'])
})

test('behavior: bytes that ended a worker wait long behind all their addresses, and are given up the second time', async () => {
  const paths = Array.from({ length: 12 }, (_, i) => `/slow.svg?${i}`)
  const { db, statuses, counted } = await serveCollections({
    collections: { [hostile]: paths.slice(0, 6), [innocent]: paths.slice(6) },
    files: Object.fromEntries(paths.map((path) => [path, endlessSvg()])),
    media: { timeoutMs: 300 },
  })
  const all = async () => new Set([...(await statuses(hostile)), ...(await statuses(innocent))])
  await expect.poll(all).toEqual(new Set(['temporarily_unavailable']))
  expect(await counted()).toEqual({ time: 1 })
  const [soonest] = await db.rows<[boolean]>("SELECT min(due_at) > now() + interval '1 hour' FROM media")
  expect(soonest).toEqual([true])

  await db.run('UPDATE media SET due_at = now()')
  await db.run('UPDATE media_source SET retry_at = now()')
  await db.run('UPDATE media_turn SET due_at = now()')
  await expect.poll(all).toEqual(new Set(['unsupported_media']))
  expect(await counted()).toEqual({ time: 2 })
})
