import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { bombPng, claimingPng, colourAt, flag } from '../../../../test/images.ts'
import { previewSettings, succeeded } from '../../../../test/previewer.ts'
import { noopLog } from '../../../util/log.ts'
import { createPreviewer } from '../createPreviewer.ts'

const previewer = createPreviewer({ settings: previewSettings, log: noopLog })
afterAll(() => previewer.close())

const noise = () =>
  sharp({
    create: {
      width: 600,
      height: 400,
      channels: 3,
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
      background: '#888',
    },
  })

test('error: rejects a PNG that claims 50,000 × 50,000 pixels', async () => {
  const outcome = await previewer.preview(claimingPng(50_000, 50_000))
  expect(outcome).toMatchObject({
    status: 'failed',
    code: 'too_many_pixels',
    reason: expect.stringMatching(/50000 × 50000/),
  })
})

test('error: rejects a PNG of 30,000 × 30,000 real pixels in 0.1 MB', async () => {
  const bomb = bombPng(30_000)
  expect(bomb.length).toBeLessThan(200_000)
  expect(await previewer.preview(bomb)).toMatchObject({ status: 'failed', code: 'too_many_pixels' })
  expect(await previewer.preview(bombPng(5_000))).toMatchObject({ status: 'success' })
})

test('error: rejects a JPEG that claims 65,000 × 65,000 pixels', async () => {
  const jpeg = await noise().jpeg().toBuffer()
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  jpeg.writeUInt16BE(65_000, frame + 5)
  jpeg.writeUInt16BE(65_000, frame + 7)
  expect(await previewer.preview(jpeg)).toMatchObject({ status: 'failed', code: 'too_many_pixels' })
})

test('error: rejects a GIF whose canvas and frame claim 60,000 × 60,000 pixels', async () => {
  const gif = await flag().gif().toBuffer()
  const frame = gif.indexOf(Buffer.from([0x2c, 0, 0, 0, 0]))
  for (const at of [6, 8, frame + 5, frame + 7]) gif.writeUInt16LE(60_000, at)
  expect(await previewer.preview(gif)).toMatchObject({ status: 'failed', code: 'too_many_pixels' })
})

test.each(['png', 'jpeg', 'webp', 'avif', 'gif'] as const)(
  'error: rejects a %s that is truncated anywhere',
  async (format) => {
    const whole = await noise().resize(150).toFormat(format).toBuffer()
    expect(await previewer.preview(whole)).toMatchObject({ status: 'success' })
    for (const part of [0.02, 0.3, 0.6, 0.9]) {
      const outcome = await previewer.preview(whole.subarray(0, Math.max(40, whole.length * part)))
      expect(outcome, `${part}`).toMatchObject({ status: 'failed', code: 'undecodable' })
    }
  },
)

test('error: an image with random changed bytes always gets an outcome', async () => {
  const seed = randomBytes(4).readUInt32LE()
  let state = seed
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (const format of ['png', 'jpeg', 'webp', 'avif', 'gif'] as const) {
    const whole = await noise().resize(64).toFormat(format).toBuffer()
    for (let i = 0; i < 30; i++) {
      const broken = Buffer.from(whole)
      for (let n = 0; n < 3; n++) broken[next(broken.length)] = next(256)
      const { status } = await previewer.preview(broken)
      expect(['success', 'failed', 'unsupported_media'], `seed ${seed}, ${format} ${i}`).toContain(status)
    }
  }
})

test('behavior: the preview of a polyglot file contains only the image', async () => {
  const script = '<html><script>alert(document.domain)</script></html>'
  const zip = Buffer.from('504b0506000000000000000000000000000000000000', 'hex')
  for (const source of [
    Buffer.concat([await flag().gif().toBuffer(), Buffer.from(script)]),
    Buffer.concat([await flag().jpeg().toBuffer(), zip, Buffer.from(script)]),
    Buffer.concat([await flag().png().toBuffer(), Buffer.from(script), zip]),
    await flag()
      .withExif({ IFD0: { ImageDescription: script } })
      .jpeg()
      .toBuffer(),
  ]) {
    const { bytes } = succeeded(await previewer.preview(source, { mimetype: 'text/html' })).sizes.high
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 500, height: 375 })
    expect(await colourAt(bytes, 0.9, 0.5)).toBe('blue')
    expect(bytes.includes('script')).toBe(false)
    expect(bytes.readUInt32LE(4) + 8, 'nothing behind the RIFF').toBe(bytes.length)
  }
})

const strangers: [string, Buffer, string, string][] = [
  ['HTML', Buffer.from('<!doctype html><img src=x onerror=alert(1)>'), 'text/html', 'document'],
  [
    'HTML with an SVG in it',
    Buffer.from('<html><svg xmlns="http://www.w3.org/2000/svg"/></html>'),
    'text/html',
    'document',
  ],
  ['a zip', Buffer.from('504b0506000000000000000000000000000000000000', 'hex'), 'application/zip', 'archive'],
  ['a gzip', gzipSync('x'), 'application/gzip', 'archive'],
  ['JSON', Buffer.from(' {"image": "x"}'), 'application/json', 'document'],
  ['text', Buffer.from('an error page, in prose'), 'text/plain', 'document'],
  ['bytes of nothing', Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex'), 'application/octet-stream', 'other'],
  ['a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n'), 'application/pdf', 'document'],
  ['a program', Buffer.from(`7f454c46020101${'00'.repeat(60)}`, 'hex'), 'application/x-elf', 'other'],
  [
    'a film',
    Buffer.from(`00000020${Buffer.from('ftypisomisom').toString('hex')}${'00'.repeat(40)}`, 'hex'),
    'video/mp4',
    'video',
  ],
  [
    'a song',
    Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0\0\xff\xfb\x90\x44', 'latin1'), Buffer.alloc(64)]),
    'audio/mpeg',
    'audio',
  ],
  ['a sound', Buffer.from('RIFF\x24\0\0\0WAVEfmt '), 'audio/wav', 'audio'],
  ['a model', Buffer.concat([Buffer.from('glTF\x02\0\0\0'), Buffer.alloc(12)]), 'model/gltf-binary', 'model'],
  ['a TIFF', Buffer.from(`49492a0008000000${'00'.repeat(40)}`, 'hex'), 'image/tiff', 'image'],
  ['a BMP', Buffer.from(`424d${'00'.repeat(60)}`, 'hex'), 'image/bmp', 'image'],
]

test.each(strangers)(
  'behavior: the type of %s is detected although it is declared as image/png',
  async (_, bytes, mimetype, category) => {
    const outcome = await previewer.preview(bytes, { mimetype: 'image/png' })
    expect(outcome).toEqual({ status: 'unsupported_media', mimetype, category, duration: null })
  },
)

test('behavior: the declared type only distinguishes kinds of JSON, as does a glTF scene in the JSON', async () => {
  const gltf = Buffer.from('{"asset": {"version": "2.0"}}')
  const reported = async (bytes: Buffer, mimetype: string) => {
    const outcome = await previewer.preview(bytes, { mimetype })
    return outcome.status === 'failed' ? outcome.code : outcome.mimetype
  }
  expect(await reported(gltf, 'model/gltf+json; charset=utf-8')).toBe('model/gltf+json')
  expect(await reported(gltf, 'image/svg+xml')).toBe('application/json')
  const scene = Buffer.from('{"asset": {"version": "2.0"}, "nodes": [], "meshes": []}')
  expect(await reported(scene, 'application/json')).toBe('model/gltf+json')
  expect(await reported(Buffer.from('no model'), 'model/gltf+json')).toBe('text/plain')
  expect(await reported(await flag().png().toBuffer(), 'video/mp4')).toBe('image/png')
})

test('error: rejects an empty file and one that is too large', async () => {
  expect(await previewer.preview(Buffer.alloc(0))).toMatchObject({ status: 'failed', code: 'empty' })
  const long = Buffer.alloc(previewSettings.maxBytes + 1)
  expect(await previewer.preview(long)).toMatchObject({ status: 'failed', code: 'too_large' })
})
