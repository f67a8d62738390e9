// @module-tag system

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { animatedPng } from '../animatedPng.ts'
import { startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { startTestServer, testApiKey } from '../mintmark.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

type File = {
  status: string
  original_media_url: string
  mimetype?: string
  size?: number | null
  duration?: number | null
  parent_hash?: string
  url?: string
  reason?: string
}
type Media = File & { animation?: File; file?: File }

const film = (name: string) => readFileSync(new URL(`../films/${name}`, import.meta.url))
const html = Buffer.from(`<!doctype html><script>alert(1)</script>${' '.repeat(100_000)}`)
const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>alert(1)</script><rect width="9" height="9"/></svg>',
)
const glb = Buffer.concat([Buffer.from('glTF\x02\0\0\0'), Buffer.alloc(200)])
const maxBytes = 400_000

/** A file that begins as a film, followed by this many bytes in a box that players skip. */
function longFilm(bytes: number): Buffer {
  const rest = Buffer.alloc(bytes)
  rest.writeUInt32BE(rest.length, 0)
  rest.write('free', 4, 'latin1')
  return Buffer.concat([film('index-first.mp4'), rest])
}

async function animation(): Promise<Buffer> {
  const frames = ['red', 'lime'].map((background) =>
    sharp({ create: { width: 8, height: 8, channels: 3, background } })
      .png()
      .toBuffer(),
  )
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .gif({ delay: [500, 250] })
    .toBuffer()
}

/** A host of metadata (`/0` and so on), and of the files at the paths in it. */
async function startHost(
  documents: (url: string) => object[],
  paths: Record<string, (response: ServerResponse) => void>,
): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = request.url!
    requests.push(path)
    const document = documents(url)[Number(path.slice(1))]
    if (document) response.end(JSON.stringify(document))
    else if (paths[path]) paths[path](response)
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url, requests }
}

const given = (type: string, bytes: Buffer) => (response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': type, 'content-length': bytes.length }).end(bytes)

/** Starts a server with a collection of this metadata. Returns functions that read the media of its tokens. */
async function serve(documents: (url: string) => object[], paths: Parameters<typeof startHost>[1]) {
  const anvil = await startAnvil({ slotsInAnEpoch: 4 })
  onTestFinished(() => anvil.stop())
  const host = await startHost(documents, paths)
  const address = await anvil.deploy(plain721, ['Films', 'FLM', `${host.url}/`])
  const [holder] = anvil.accounts as [Address]
  const count = BigInt(documents('').length)
  await anvil.send({ to: address, abi: plain721.abi, functionName: 'mintBatch', args: [holder, 0n, count] })
  const dataDir = await temporaryFolder()
  const server = await startTestServer({
    rpc: [anvil.url],
    config: { dataDir, outbound: { allow: ['127.0.0.1'] }, metadata: { coolOffMs: 0 }, media: { maxBytes } },
  })
  onTestFinished(() => server.close())
  await server.untilSynced(address, await anvil.blockNumber())
  await expect.poll(async () => (await server.page(address)).headers.get('x-index-metadata-progress')).toBe('1')
  async function mediaOf(token: number, include = 'media_file'): Promise<Media> {
    const path = `/api/v2/nft/${address}/${token}?chain=local&media_items=true&include=${include}`
    const answer = await fetch(server.url + path, { headers: { 'x-api-key': testApiKey } })
    return ((await answer.json()) as { media: Media }).media
  }
  async function fileOf(token: number): Promise<File> {
    await expect.poll(async () => (await mediaOf(token)).file?.status).not.toBe('processing')
    return (await mediaOf(token)).file!
  }
  return { ...server, host, dataDir, mediaOf, fileOf }
}

test('default: a video, audio file or animation is stored on request, and served with byte ranges', async () => {
  const [mp4, mp3, gif] = [longFilm(300_000), film('sound.mp3'), await animation()]
  const png = animatedPng([
    [1, 2],
    [1, 4],
  ])
  const { url, host, mediaOf, fileOf, dataDir } = await serve(
    (at) => [
      { image: `${at}/still.png`, animation_url: `${at}/film` },
      { animation_url: `${at}/sound` },
      { image: `${at}/moving` },
      { image: `${at}/moving`, animation_url: `${at}/page` },
      { image: `${at}/movingPng` },
    ],
    {
      '/film': given('text/html', mp4),
      '/sound': given('image/svg+xml', mp3),
      '/moving': given('text/javascript', gif),
      '/page': given('text/html', html),
      '/movingPng': given('image/png', png),
    },
  )
  await expect.poll(async () => (await mediaOf(0, 'media_details')).animation?.status).toBe('unsupported_media')
  expect(await mediaOf(0, 'media_details')).not.toHaveProperty('file')
  const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  for (const [token, bytes, type, name, duration] of [
    [0, mp4, 'video/mp4', 'file.mp4', 2.5],
    [1, mp3, 'audio/mpeg', 'file.mp3', 2],
    [2, gif, 'image/gif', 'file.gif', 0.75],
    [4, png, 'image/apng', 'file.png', 0.75],
  ] as const) {
    const kept = await fileOf(token)
    const at = `${url}/media/${hashOf(bytes)}/${name}`
    expect(kept).toMatchObject({ status: 'success', mimetype: type, size: bytes.length, url: at })
    expect(kept.duration).toBeCloseTo(duration, 0)
    const whole = await fetch(at)
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, type])
    expect(Buffer.from(await whole.bytes()).equals(bytes)).toBe(true)
    const part = await fetch(at, { headers: { range: 'bytes=50-99' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 50-99/${bytes.length}`])
    expect(Buffer.from(await part.bytes()).equals(bytes.subarray(50, 100))).toBe(true)
    expect((await fetch(at, { headers: { range: `bytes=${bytes.length}-` } })).status).toBe(416)
  }
  // Once read, the token's page is known to be HTML. Then the animation from the image field is played instead.
  await expect.poll(async () => (await mediaOf(3)).animation?.mimetype).toBe('text/html')
  expect(await fileOf(3)).toMatchObject({ status: 'success', mimetype: 'image/gif' })

  // Files that were removed to free space or lost are fetched again.
  const fetched = host.requests.filter((path) => path === '/film').length
  const at = (await fileOf(0)).url!
  for (const entry of readdirSync(join(dataDir, 'media'), { recursive: true, withFileTypes: true }))
    if (entry.name.endsWith('-file.mp4')) await rm(join(entry.parentPath, entry.name))
  const missing = await fetch(at)
  expect([missing.status, missing.headers.get('retry-after')]).toEqual([503, '2'])
  await expect.poll(async () => (await fetch(at)).status).toBe(200)
  expect(host.requests.filter((path) => path === '/film')).toHaveLength(fetched + 1)
  expect((await fetch(at.replace('.mp4', '.webm'))).status).toBe(404)
})

test('error: stores only videos, audio and animations of a detected type and bounded size, for any host response', async () => {
  let changes = 0
  let poured = 0
  const endless = (start: Buffer) => (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'video/mp4' }).write(start)
    const pour = () => {
      for (const more = Buffer.alloc(50_000); response.writable; ) {
        poured += more.length
        if (!response.write(more)) break
      }
    }
    response.on('drain', pour)
    pour()
  }
  const { url, mediaOf, fileOf, dataDir } = await serve(
    (at) => [
      { animation_url: `${at}/page.mp4` },
      { image: `${at}/drawing.mp4` },
      { animation_url: `${at}/endless.mp4` },
      { animation_url: `${at}/long.mp4` },
      { animation_url: `${at}/changing.mp4` },
      { animation_url: `${at}/away.mp4` },
      { animation_url: `${at}/model.glb` },
      { image: `${at}/still.png` },
      { animation_url: `${at}/gone.mp4` },
    ],
    {
      '/page.mp4': given('video/mp4', html),
      '/drawing.mp4': given('video/mp4', svg),
      '/endless.mp4': endless(film('index-first.mp4')),
      '/long.mp4': given('video/mp4', longFilm(maxBytes)),
      '/changing.mp4': (response) => given('video/mp4', longFilm(1_000 + changes++))(response),
      '/away.mp4': (response) => void response.writeHead(302, { location: 'http://10.0.0.1/film.mp4' }).end(),
      '/model.glb': given('video/mp4', glb),
      '/still.png': async (response) =>
        given(
          'video/mp4',
          await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
            .gif()
            .toBuffer(),
        )(response),
    },
  )
  const tooLong = film('index-first.mp4').length + maxBytes
  const rejected = 'allowed: videos, audio files and animations that browsers play'
  for (const [token, expected] of [
    [0, { status: 'unsupported_media', mimetype: 'text/html', reason: `is text/html; ${rejected}` }],
    [1, { status: 'unsupported_media', mimetype: 'image/svg+xml', reason: `is image/svg+xml; ${rejected}` }],
    [2, { status: 'unsupported_media', reason: `has too many bytes; allowed: at most ${maxBytes} (media.maxBytes)` }],
    [3, { status: 'unsupported_media', reason: `has ${tooLong} bytes; allowed: at most ${maxBytes} (media.maxBytes)` }],
    [5, { status: 'host_unavailable' }],
    [6, { status: 'unsupported_media', reason: `is model/gltf-binary; ${rejected}` }],
    [7, { status: 'unsupported_media', reason: `is image/gif, not animated; ${rejected}` }],
    [8, { status: 'host_unavailable' }],
  ] as const) {
    const file = await fileOf(token)
    expect(file, String(token)).toMatchObject(expected)
    expect(file).not.toHaveProperty('url')
  }
  expect(poured).toBeLessThan(20_000_000)
  const changing = await fileOf(4)
  const read = async () =>
    createHash('sha256')
      .update(await (await fetch(changing.url!)).bytes())
      .digest('hex')
  expect(await read()).toBe(changing.parent_hash)
  // The second fetch returns a different file. It gets a new URL, and the old URL serves nothing.
  for (const entry of readdirSync(join(dataDir, 'media'), { recursive: true, withFileTypes: true }))
    await rm(join(entry.parentPath, entry.name), { force: true, recursive: true })
  expect((await fetch(changing.url!)).status).toBe(503)
  await expect.poll(async () => (await mediaOf(4)).file?.url).not.toBe(changing.url)
  expect((await fetch(changing.url!)).status).toBe(404)
  expect((await fetch(`${url}/media/${changing.parent_hash}/file.html`)).status).toBe(400)
})
