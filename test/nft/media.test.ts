import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { parseConfig } from '../../src/config/config.ts'
import { createService } from '../../src/service.ts'
import type { Address } from '../../src/util/hex.ts'
import { noopLog } from '../../src/util/log.ts'
import { startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { createTestDatabase } from '../database.ts'
import { startImageHost } from '../imageHost.ts'
import { flag, svg } from '../images.ts'
import { createNftClient, type NftClient, testApiKey } from '../mintmark.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

type Size = { width: number; height: number; url: string }
type Media = {
  status: string
  original_media_url: string
  mimetype?: string
  category?: string
  parent_hash?: string
  updatedAt: string
  media_collection?: { low: Size; medium: Size; high: Size }
}

async function mediaById(client: NftClient, address: Address): Promise<Map<string, Media | null>> {
  const records = (await client.walk(address, { media_items: true })) as unknown as {
    token_id: string
    media: Media | null
  }[]
  return new Map(records.map(({ token_id, media }) => [token_id, media]))
}

const mp4 = Buffer.concat([
  Buffer.from('0000001866747970', 'hex'),
  Buffer.from('mp42\0\0\0\0mp42isom'),
  Buffer.alloc(64),
])

test('behavior: previews are generated on first request, served and kept, and each failure has its status', async () => {
  const png = await flag(800, 600).png().toBuffer()
  const drawing = svg('<rect width="100" height="100" fill="red"/>')
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  await using host = await startImageHost({
    images: (url) => ({
      0: `${url}/flag.png`,
      1: `${url}/drawing.svg`,
      2: `${url}/broken.png`,
      3: `${url}/hangs.png`,
      4: 'http://10.0.0.1/private.png',
      5: `${url}/film.mp4`,
      6: undefined,
      7: `data:image/svg+xml;base64,${drawing.toString('base64')}`,
      8: 'http://169.254.169.254/latest/meta-data/',
    }),
    files: {
      '/flag.png': { type: 'image/png', bytes: png },
      '/drawing.svg': { type: 'image/svg+xml', bytes: drawing },
      '/broken.png': { type: 'image/png', bytes: Buffer.concat([png.subarray(0, 60), Buffer.from('no more')]) },
      '/hangs.png': 'hangs',
      '/film.mp4': { type: 'video/mp4', bytes: mp4 },
      // Media at the addresses of metadata.
      '/9': { type: 'image/png', bytes: png },
      '/10': { type: 'image/svg+xml', bytes: gzipSync(drawing) },
      '/11': { type: 'video/mp4', bytes: mp4 },
    },
  })
  const [holder] = anvil.accounts as [Address]
  const address = await anvil.deploy(plain721, ['Shown', 'SHW', `${host.url}/`])
  await anvil.send({ to: address, abi: plain721.abi, functionName: 'mintBatch', args: [holder, 0n, 12n] })
  await anvil.mine(10)

  const database = await createTestDatabase()
  const config = parseConfig({
    port: 0,
    apiKey: testApiKey,
    databaseUrl: database.url,
    dataDir: await temporaryFolder(),
    chains: { local: { id: '0x7a69', rpc: [anvil.url], pollIntervalMs: 50 } },
    outbound: { allow: ['127.0.0.1'], timeoutMs: 2_000 },
    metadata: { retryDelaysMs: [100, 100, 100, 3_600_000], coolOffMs: 0 },
  })
  let service = await createService({ config, log: noopLog })
  try {
    const client = createNftClient(service.url)
    await client.untilSynced(address, await anvil.blockNumber())
    await expect.poll(async () => (await client.page(address)).headers.get('x-index-metadata-progress')).toBe('1')
    expect(host.requests.get('/flag.png')).toBe(undefined)

    const first = await mediaById(client, address)
    expect(first.get('6')).toBe(null)
    for (const id of ['0', '1', '2', '3', '4', '5', '7', '8', '9', '10', '11'])
      expect(first.get(id), id).toMatchObject({ status: 'processing' })

    const expected = {
      0: 'success',
      1: 'success',
      2: 'host_unavailable',
      3: 'host_unavailable',
      4: 'invalid_url',
      5: 'unsupported_media',
      7: 'success',
      8: 'invalid_url',
      9: 'success',
      10: 'success',
      11: 'unsupported_media',
    }
    await expect
      .poll(async () => {
        const now = await mediaById(client, address)
        return Object.fromEntries([...now].flatMap(([id, media]) => (media ? [[id, media.status]] : [])))
      })
      .toEqual(expected)

    const media = await mediaById(client, address)
    expect(media.get('0')).toMatchObject({ mimetype: 'image/png', category: 'image' })
    expect(media.get('9')).toMatchObject({ mimetype: 'image/png', original_media_url: `${host.url}/9` })
    expect(media.get('10')).toMatchObject({ mimetype: 'image/svg+xml', original_media_url: `${host.url}/10` })
    expect(media.get('11')).toMatchObject({ mimetype: 'video/mp4', original_media_url: `${host.url}/11` })
    expect(media.get('1')).toMatchObject({ mimetype: 'image/svg+xml', category: 'image' })
    expect(media.get('5')).toMatchObject({ mimetype: 'video/mp4', category: 'video' })
    expect(media.get('5')!.media_collection).toBe(undefined)
    const { low, medium, high } = media.get('0')!.media_collection!
    expect([low, medium, high].map(({ width, height }) => [width, height])).toEqual([
      [100, 75],
      [250, 188],
      [500, 375],
    ])
    for (const size of [low, medium, high, media.get('1')!.media_collection!.low]) {
      expect(size.url.startsWith(`${service.url}/media/`)).toBe(true)
      const answer = await fetch(size.url)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
      expect(answer.headers.get('cache-control')).toContain('immutable')
      const { width, height, format } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
      expect([width, height, format]).toEqual([size.width, size.height, 'webp'])
    }
    // The same drawing at two addresses has one preview.
    expect(media.get('7')!.parent_hash).toBe(media.get('1')!.parent_hash)

    const requested = host.requests.get('/flag.png')
    await service.close()
    service = await createService({ config, log: noopLog })
    const again = await mediaById(createNftClient(service.url), address)
    expect(again.get('0')).toMatchObject({ status: 'success' })
    expect((await fetch(again.get('0')!.media_collection!.high.url)).status).toBe(200)
    expect(host.requests.get('/flag.png')).toBe(requested)
  } finally {
    await service.close()
    await database.drop()
  }
})
