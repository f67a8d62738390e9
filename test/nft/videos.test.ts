// @module-tag system

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '../../src/config/config.ts'
import { createService } from '../../src/service.ts'
import type { Address } from '../../src/util/hex.ts'
import { noopLog } from '../../src/util/log.ts'
import { startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { createTestDatabase } from '../database.ts'
import { startImageHost } from '../imageHost.ts'
import { flag } from '../images.ts'
import { createNftClient, testApiKey } from '../mintmark.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

const read = (name: string) => readFileSync(new URL(`../films/${name}`, import.meta.url))

/** A film of 300 kB, of which only the start is read: the rest is a box that players skip. */
function longFilm(): Buffer {
  const rest = Buffer.alloc(300_000)
  rest.writeUInt32BE(rest.length, 0)
  rest.write('free', 4, 'latin1')
  return Buffer.concat([read('index-first.mp4'), rest])
}

type Part = {
  status: string
  original_media_url: string
  mimetype?: string
  category?: string
  size?: number
  duration?: number | null
  media_collection?: Record<'medium' | 'high', { url: string }>
}
type Media = Part & { animation?: Part }

test.each([false, true])(
  'default: media details of videos and audio have type, size and duration, with frames by ffmpeg: %s',
  async (drawn) => {
    const [png, film, sound] = [await flag(800, 600).png().toBuffer(), longFilm(), read('sound.mp3')]
    const documents = (url: string) => [
      { image: `${url}/flag.png`, animation_url: `${url}/film.mp4` },
      { animation_url: `${url}/sound.mp3` },
      { image: `${url}/flag.png` },
      { name: 'nothing' },
    ]
    await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
    const files: Parameters<typeof startImageHost>[0]['files'] = {
      '/flag.png': { type: 'image/png', bytes: png },
      '/film.mp4': { type: 'text/html', bytes: film },
      '/sound.mp3': { type: 'image/png', bytes: sound },
    }
    await using host = await startImageHost({ images: () => ({}), files })
    for (const [i, document] of documents(host.url).entries())
      files[`/${i}`] = { type: 'application/json', bytes: Buffer.from(JSON.stringify(document)) }
    const [holder] = anvil.accounts as [Address]
    const address = await anvil.deploy(plain721, ['Films', 'FLM', `${host.url}/`])
    await anvil.send({ to: address, abi: plain721.abi, functionName: 'mintBatch', args: [holder, 0n, 4n] })
    await anvil.mine(10)
    const folder = await temporaryFolder()
    const ffmpeg = join(folder, 'ffmpeg.cjs')
    const frame = (await flag(640, 480).png().toBuffer()).toString('base64')
    writeFileSync(ffmpeg, `#!${process.execPath}\nprocess.stdout.write(Buffer.from('${frame}', 'base64'))`, {
      mode: 0o700,
    })
    const database = await createTestDatabase()
    const service = await createService({
      config: parseConfig({
        ...{ port: 0, apiKey: testApiKey, databaseUrl: database.url, dataDir: folder },
        chains: { local: { id: '0x7a69', rpc: [anvil.url], pollIntervalMs: 50 } },
        outbound: { allow: ['127.0.0.1'] },
        media: drawn ? { ffmpeg } : {},
      }),
      log: noopLog,
    })
    onTestFinished(async () => {
      await service.close()
      await database.drop()
    })
    const client = createNftClient(service.url)
    await client.untilSynced(address, await anvil.blockNumber())
    await expect.poll(async () => (await client.page(address)).headers.get('x-index-metadata-progress')).toBe('1')
    const mediaOf = async (more: object) => {
      const records = await client.walk(address, { media_items: true, limit: 2, ...more })
      const found = records as unknown as { token_id: string; media: Media | null }[]
      return Object.fromEntries(found.map(({ token_id, media }) => [token_id, media]))
    }
    const details = () => mediaOf({ include: 'media_details' })
    const isMade = async () =>
      Object.values(await details()).every(
        (media) => media?.status !== 'processing' && media?.animation?.status !== 'processing',
      )
    await expect.poll(isMade).toBe(true)
    const { 0: both, 1: heard, 2: still, 3: none } = await details()
    expect(both).toMatchObject({ status: 'success', category: 'image', size: png.length, duration: null })
    const played = { mimetype: 'video/mp4', category: 'video', size: film.length, duration: 2.5 }
    expect(both!.animation).toMatchObject({ status: drawn ? 'success' : 'unsupported_media', ...played })
    expect(heard).toMatchObject({ status: 'unsupported_media', category: 'audio', size: sound.length })
    expect(heard!.duration).toBeCloseTo(2, 0)
    for (const media of [heard, still]) expect(media).not.toHaveProperty('animation')
    expect(none).toBe(null)
    const { 0: plain } = await mediaOf({})
    for (const name of ['size', 'duration', 'animation']) expect(plain).not.toHaveProperty(name)
    const token = await fetch(
      `${service.url}/api/v2/nft/${address}/0?chain=local&media_items=true&include=media_details`,
      {
        headers: { 'x-api-key': testApiKey },
      },
    )
    expect(((await token.json()) as { media: Media }).media).toEqual(both)
    const shown = await fetch(
      `${service.url}/alchemy/local/nft/v3/${testApiKey}/getNFTsForContract?contractAddress=${address}`,
    )
    const { nfts } = (await shown.json()) as { nfts: { image: object; animation: object }[] }
    expect(nfts.map(({ image }) => image)).toMatchObject([
      { contentType: 'image/png', size: png.length, thumbnailUrl: both!.media_collection!.medium.url, pngUrl: null },
      { contentType: heard!.mimetype, size: sound.length, thumbnailUrl: null },
      { originalUrl: still!.original_media_url },
      { contentType: null, size: null, originalUrl: null },
    ])
    const animated = both!.animation!.media_collection?.high.url ?? null
    expect(nfts[0]!.animation).toMatchObject({ contentType: 'video/mp4', size: film.length, cachedUrl: animated })
    if (!drawn) return
    const url = both!.animation!.media_collection!.high.url
    const picture = await sharp(Buffer.from(await (await fetch(url)).arrayBuffer())).metadata()
    expect(picture).toMatchObject({ format: 'webp', width: 500, height: 375 })
  },
)
