// @module-tag system

import { expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '../../src/config/config.ts'
import { mediaDemandChannel } from '../../src/nft/media/mediaStore.ts'
import { noMetadata } from '../../src/nft/metadata/parse/renderMetadata.ts'
import { createService } from '../../src/service.ts'
import type { Address } from '../../src/util/hex.ts'
import { noopLog } from '../../src/util/log.ts'
import { createTestDatabase } from '../database.ts'
import { startImageHost } from '../imageHost.ts'
import { endlessSvg, flag } from '../images.ts'
import { createNftClient, testApiKey } from '../mintmark.ts'
import { previewWorkers } from '../previewWorkers.ts'
import { createRawServer } from '../rawServer.ts'
import { seedCollection } from '../seedCollection.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

/** Starts a server with these collections. The images of their tokens are at paths of one host, or at absolute URLs elsewhere. */
async function serveCollections(options: {
  collections: Record<Address, readonly string[]>
  files: Record<string, Buffer>
  media: { timeoutMs: number; workers?: number }
  /** Timeout of a request to a host. */
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
      `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, record, media_url, media_hash, tried_at)
       SELECT partition, collection_id, token_hash, 'ok', 0, $4, url, md5(url)::uuid, now()
       FROM token, LATERAL (SELECT ($3::text[])[token_id::int + 1] AS url) m WHERE partition = $1 AND collection_id = $2`,
      [partition, id, paths.map((path) => (path.startsWith('/') ? host.url + path : path)), noMetadata],
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
    log: noopLog,
  })
  onTestFinished(async () => {
    await service.close()
    await host[Symbol.asyncDispose]()
    await database.drop()
  })
  const client = createNftClient(service.url, 'eth')
  return {
    db: database.db,
    /** Changes rows, and retries after a deadlock. Each node of a cluster locks its rows at a different time, and so do the workers. */
    change: (sql: string) => database.db.transaction((tx) => tx.run(sql)),
    /** Status of the previews by token id. It also requests previews that were never requested. */
    async statuses(address: Address): Promise<string[]> {
      const records = (await client.walk(address, { media_items: true })) as unknown as {
        media: { status: string } | null
      }[]
      return records.map(({ media }) => media?.status ?? 'none')
    },
    /** How many images workers have processed, by outcome. */
    async counted(): Promise<Record<string, number>> {
      const text = await (await client.get('/metrics')).text()
      const lines = text.matchAll(/^mintmark_previews_total\{result="(\w+)"\} (\d+)$/gm)
      return Object.fromEntries([...lines].map(([, result, count]) => [result!, Number(count)]))
    },
  }
}

const hostile: Address = `0x${'0b'.repeat(20)}`
const innocent: Address = `0x${'0a'.repeat(20)}`

test('behavior: a collection of endless images does not take preview workers from another, even on the same host', async () => {
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

test('behavior: a hanging host with images of many collections does not block another host', async () => {
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

test('behavior: an image that times out a worker backs off at all its URLs, and fails after the second time', async () => {
  const paths = Array.from({ length: 12 }, (_, i) => `/slow.svg?${i}`)
  const { db, change, statuses, counted } = await serveCollections({
    collections: { [hostile]: paths.slice(0, 6), [innocent]: paths.slice(6) },
    files: Object.fromEntries(paths.map((path) => [path, endlessSvg()])),
    media: { timeoutMs: 300 },
  })
  const all = async () => new Set([...(await statuses(hostile)), ...(await statuses(innocent))])
  await expect.poll(all).toEqual(new Set(['temporarily_unavailable']))
  expect(await counted()).toEqual({ time: 1 })
  const [soonest] = await db.rows<[boolean]>("SELECT min(due_at) > now() + interval '1 hour' FROM media")
  expect(soonest).toEqual([true])

  await change('UPDATE media SET due_at = now()')
  await change('UPDATE media_source SET retry_at = now()')
  await change('UPDATE media_turn SET due_at = now()')
  await expect.poll(all).toEqual(new Set(['unsupported_media']))
  expect(await counted()).toEqual({ time: 2 })
})

test('behavior: a preview whose host is backing off loses no attempt, and keeps its status', async () => {
  const answer = 'HTTP/1.1 429 Too Many Requests\r\nretry-after: 3600\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'
  await using rejecting = await createRawServer((_request, socket) => void socket.end(answer))
  const paths = Array.from({ length: 20 }, (_, i) => `${rejecting.url}/${i}`)
  const { db, change, statuses } = await serveCollections({
    collections: { [innocent]: paths },
    files: {},
    media: { timeoutMs: 300_000 },
  })
  await expect
    .poll(async () => new Set(await statuses(innocent)))
    .toEqual(new Set(['host_unavailable', 'temporarily_unavailable']))
  const [shown] = await db.rows<[string]>(
    `UPDATE media SET status = 'success', parent_hash = repeat('0', 64), sizes = '{}'
     WHERE url = (SELECT max(url) FROM media WHERE attempts = 0) RETURNING url`,
  )
  const pages = 'SELECT version FROM collection'
  const [version] = await db.rows(pages)
  for (let round = 0; round < 3; round++) {
    await change('UPDATE media SET due_at = now() WHERE attempts = 0')
    await change('UPDATE media_turn SET due_at = now()')
    await db.run('SELECT pg_notify($1, $2)', [mediaDemandChannel, ''])
    const selectDue = "SELECT count(*) FROM media WHERE due_at < now() + interval '50 minutes'"
    await expect.poll(() => db.rows(selectDue)).toEqual([[0n]])
  }
  const [longest] = await db.rows("SELECT max(due_at) < now() + interval '70 minutes' FROM media WHERE attempts = 0")
  expect(longest).toEqual([true])
  expect(await db.rows('SELECT DISTINCT attempts, status FROM media WHERE attempts <> 1 ORDER BY status')).toEqual([
    [0, 'success'],
    [0, 'temporarily_unavailable'],
  ])
  expect(await db.rows('SELECT url FROM media WHERE status = $1', ['success'])).toEqual([shown])
  // Nothing changes, so cached pages stay fresh.
  expect(await db.rows(pages)).toEqual([version])
})

test('behavior: paging through a large collection does not delay the previews of another', async () => {
  const many = Array.from({ length: 1_000 }, (_, i) => `/many-${i}.png`)
  const few = ['/1.png', '/2.png', '/3.png']
  const png = await flag(100, 100).png().toBuffer()
  const { db, statuses } = await serveCollections({
    collections: { [hostile]: many, [innocent]: few },
    files: Object.fromEntries([...many, ...few].map((path) => [path, Buffer.concat([png, Buffer.from(path)])])),
    media: { timeoutMs: 300_000, workers: 2 },
  })
  await statuses(hostile)
  const made = "SELECT count(*) FROM media WHERE status = 'success' AND url LIKE '%/many-%'"
  await expect.poll(() => db.rows(made)).not.toEqual([[0n]])
  const [before] = await db.rows<[bigint]>(made)
  await expect.poll(() => statuses(innocent)).toEqual(['success', 'success', 'success'])
  const last = "SELECT max(updated_at) FROM media WHERE url NOT LIKE '%/many-%'"
  const [until] = await db.rows<[bigint]>(`${made} AND updated_at < (${last})`)
  expect(Number(until![0] - before![0])).toBeLessThan(200)
})

test('behavior: only the start of a video is downloaded to detect its type', async () => {
  const start = Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.from('mp42\0\0\0\0mp42isom')])
  let sent = 0
  await using films = await createRawServer((_request, socket) => {
    const pour = () => {
      for (const more = Buffer.alloc(100_000); socket.writable; ) {
        sent += more.length
        if (!socket.write(more)) break
      }
    }
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: image/png\r\n\r\n')
    socket.write(start)
    socket.on('drain', pour)
    pour()
  })
  const { db, statuses } = await serveCollections({
    collections: { [innocent]: [`${films.url}/film.png`] },
    files: {},
    media: { timeoutMs: 300_000 },
  })
  await expect.poll(() => statuses(innocent)).toEqual(['unsupported_media'])
  expect(await db.rows('SELECT mimetype, category FROM media')).toEqual([['video/mp4', 'video']])
  expect(sent).toBeLessThan(10_000_000)
})
