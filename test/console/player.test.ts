// @module-tag system

import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, vi } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { type ImageHost, startImageHost } from '../imageHost.ts'
import { patience } from '../patience.ts'
import { deployDocumented } from './collections.ts'
import { consoleTest, lookAt, useConsole } from './consoleTest.ts'

const film = (name: string) => readFileSync(new URL(`../films/${name}`, import.meta.url))
const glb = Buffer.concat([Buffer.from('glTF\x02\0\0\0'), Buffer.alloc(200)])
const json = (document: object) => ({ type: 'application/json', bytes: Buffer.from(JSON.stringify(document)) })

/** A file that starts as a film and is larger than the limit for stored files. */
function longFilm(): Buffer {
  const rest = Buffer.alloc(300_000)
  rest.writeUInt32BE(rest.length, 0)
  rest.write('free', 4, 'latin1')
  return Buffer.concat([film('index-first.mp4'), rest])
}

let host: ImageHost
let address: Address
const console = useConsole({
  config: { outbound: { allow: ['127.0.0.1'] }, metadata: { coolOffMs: 0 }, media: { maxBytes: 200_000 } },
  async seed(server, anvil) {
    const square = sharp({ create: { width: 300, height: 300, channels: 3, background: 'teal' } })
    const files: Parameters<typeof startImageHost>[0]['files'] = {
      '/poster.png': { type: 'image/png', bytes: await square.png().toBuffer() },
      '/film.webm': { type: 'text/html', bytes: film('film.webm') },
      '/sound.mp3': { type: 'text/html', bytes: film('sound.mp3') },
      '/long.mp4': { type: 'video/mp4', bytes: longFilm() },
      '/model.glb': { type: 'text/html', bytes: glb },
    }
    host = await startImageHost({ images: () => ({}), files })
    const image = `${host.url}/poster.png`
    files['/1'] = json({ name: 'Film', image, animation_url: `${host.url}/film.webm` })
    files['/2'] = json({ name: 'Sound', animation_url: `${host.url}/sound.mp3` })
    files['/3'] = json({ name: 'Long film', image, animation_url: `${host.url}/long.mp4` })
    files['/4'] = json({ name: 'Model', image, animation_url: `${host.url}/model.glb` })
    address = await deployDocumented(anvil, 'Films', `${host.url}/`, 4n)
    await server.untilSynced(address, await anvil.blockNumber())
    await vi.waitUntil(
      async () => (await server.page(address, { limit: 1 })).headers.get('x-index-metadata-progress') === '1',
      patience,
    )
  },
  end: async () => host[Symbol.asyncDispose](),
})
const pathOf = (token: number) => `/console/collections/local/${address}/${token}`

/** The state of the player in the browser. */
const state = `(() => {
  const { currentSrc, readyState, duration, videoWidth, currentTime, error, poster } = document.querySelector('video, audio')
  return { path: new URL(currentSrc).pathname, readyState, duration, videoWidth, currentTime, error: error && error.message, poster }
})()`

type State = {
  path: string
  readyState: number
  duration: number
  videoWidth?: number
  currentTime: number
  error: string | null
  poster: string
}

consoleTest('default: a video plays on request from this server only, with its poster', async () => {
  const page = await console().open(pathOf(1))
  const button = page.getByRole('button', { name: 'Play video' })
  await button.waitFor()
  expect(await page.locator('video').count()).toBe(0)
  expect(host.requests.get('/film.webm')).toBe(1)
  await button.focus()
  await page.keyboard.press('Enter')
  await page.locator('video').waitFor()
  await vi.waitUntil(async () => (await page.evaluate<State>(state)).readyState >= 1, patience)
  await page.evaluate("document.querySelector('video').muted = true; document.querySelector('video').play()")
  await vi.waitUntil(async () => (await page.evaluate<State>(state)).currentTime > 0, patience)
  const film = await page.evaluate<State>(state)
  expect(film).toMatchObject({ error: null, path: expect.stringMatching(/^\/media\/[0-9a-f]{64}\/file\.webm$/) })
  expect(film.videoWidth).toBeGreaterThan(0)
  expect(film.duration).toBeCloseTo(2.5, 0)
  expect(new URL(film.poster).pathname).toMatch(/^\/media\/[0-9a-f]{64}\/high\.webp$/)
  expect(host.requests.get('/film.webm')).toBe(2)
})

consoleTest('default: an audio file plays', async () => {
  const page = await console().open(pathOf(2))
  await page.getByRole('button', { name: 'Play audio' }).click()
  await page.locator('audio').waitFor()
  await vi.waitUntil(async () => (await page.evaluate<State>(state)).readyState >= 1, patience)
  expect(await page.evaluate<State>(state)).toMatchObject({ error: null, path: expect.stringMatching(/file\.mp3$/) })
})

consoleTest('error: a video over media.maxBytes is reported with the limit', async () => {
  const page = await console().open(pathOf(3))
  await page.getByText('video · video/mp4 · 303 kB').waitFor()
  await page.getByRole('button', { name: 'Play video' }).click()
  await page.getByText('The video has 302720 bytes; allowed: at most 200000 (media.maxBytes)').waitFor()
  expect(await page.locator('video').count()).toBe(0)
})

consoleTest('behavior: a 3D model is shown by type and size, with a source link that is not loaded', async () => {
  const page = await console().open(pathOf(4))
  await page.getByText('3D model · model/gltf-binary · 208 B').waitFor()
  expect(await page.getByRole('link', { name: 'Source' }).getAttribute('href')).toBe(`${host.url}/model.glb`)
  expect(await page.getByRole('button', { name: /^Play/ }).count()).toBe(0)
})

consoleTest('behavior: a token with a player renders in every width and colour scheme', () =>
  lookAt(console(), {
    path: pathOf(1),
    name: 'token-film',
    ready: async (page) => {
      const button = page.getByRole('button', { name: 'Play video' })
      if (await button.isVisible()) await button.click()
      await page.locator('video').or(button).first().waitFor()
    },
  }),
)
