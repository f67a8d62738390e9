import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { animatedPng, blue, colourAt, flag, plain, red, svg } from '../../../../test/images.ts'
import { previewSettings, succeeded } from '../../../../test/previewer.ts'
import { noopLog } from '../../../util/log.ts'
import { createPreviewer } from '../createPreviewer.ts'
import { previewSizes } from './preview.ts'

const previewer = createPreviewer({ settings: previewSettings, log: noopLog })
afterAll(() => previewer.close())

async function previewOf(bytes: Buffer) {
  return succeeded(await previewer.preview(bytes))
}

/** Returns width × height of low, medium and high. */
async function sizesOf(bytes: Buffer): Promise<string[]> {
  const { sizes } = await previewOf(bytes)
  return previewSizes.map((size) => `${sizes[size].width}×${sizes[size].height}`)
}

const formats: [string, string, () => Promise<Buffer>][] = [
  ['PNG', 'image/png', () => flag().png().toBuffer()],
  ['interlaced PNG with a palette', 'image/png', () => flag().png({ palette: true, progressive: true }).toBuffer()],
  ['animated PNG', 'image/apng', async () => animatedPng(await flag().png().toBuffer())],
  ['PNG of 16 bits', 'image/png', () => flag().toColourspace('rgb16').png().toBuffer()],
  ['JPEG', 'image/jpeg', () => flag().jpeg().toBuffer()],
  ['progressive JPEG', 'image/jpeg', () => flag().jpeg({ progressive: true }).toBuffer()],
  ['JPEG in CMYK', 'image/jpeg', () => flag().toColourspace('cmyk').jpeg().toBuffer()],
  ['GIF', 'image/gif', () => flag().gif().toBuffer()],
  ['WebP', 'image/webp', () => flag().webp().toBuffer()],
  ['lossless WebP', 'image/webp', () => flag().webp({ lossless: true }).toBuffer()],
  ['AVIF', 'image/avif', () => flag().avif({ effort: 1 }).toBuffer()],
]

test.each(formats)('default: draws a preview of %s', async (_, mimetype, make) => {
  const source = await make()
  const outcome = await previewOf(source)
  expect(outcome).toMatchObject({ mimetype, category: 'image' })
  expect(outcome.parentHash).toBe(createHash('sha256').update(source).digest('hex'))
  for (const [size, width, height] of [
    ['low', 100, 75],
    ['medium', 250, 188],
    ['high', 500, 375],
  ] as const) {
    const { bytes, ...reported } = outcome.sizes[size]
    expect(reported).toEqual({ width, height, mimetype: 'image/webp' })
    expect(await sharp(bytes).metadata()).toMatchObject({
      format: 'webp',
      width,
      height,
      space: 'srgb',
      depth: 'uchar',
    })
    // CMYK has no lime, so the preview is compared with the colour of the source itself.
    expect(await colourAt(bytes, 0.1, 0.1)).toBe(await colourAt(source, 0.1, 0.1))
    expect([await colourAt(bytes, 0.1, 0.9), await colourAt(bytes, 0.9, 0.1)]).toEqual(['red', 'blue'])
  }
})

test('behavior: an image is rotated by its EXIF orientation, and all metadata is removed', async () => {
  for (let orientation = 1; orientation <= 8; orientation++) {
    const upright = flag(400, 200).png()
    // In the standard's table, the orientation is the position of the source's top left corner in the upright image.
    const source = await sharp(await upright.toBuffer())
      .withExif({ IFD0: { Copyright: 'someone at 48.2, 16.4' } })
      .withMetadata({ orientation })
      .jpeg()
      .toBuffer()
    const { bytes, width, height } = (await previewOf(source)).sizes.low
    expect([width, height]).toEqual(orientation < 5 ? [100, 50] : [50, 100])
    const corners = [
      [0.05, 0.05],
      [0.95, 0.05],
      [0.95, 0.95],
      [0.05, 0.95],
      [0.05, 0.05],
      [0.95, 0.05],
      [0.95, 0.95],
      [0.05, 0.95],
    ] as const
    const [x, y] = corners[orientation - 1]!
    expect(await colourAt(bytes, x, y), `orientation ${orientation}`).toBe('lime')
    const { exif, icc, xmp, orientation: kept } = await sharp(bytes).metadata()
    expect({ exif, icc, xmp, kept }).toEqual({})
    expect(bytes.includes('someone')).toBe(false)
  }
})

test.each(['gif', 'webp'] as const)('behavior: the preview of an animated %s is its first frame', async (format) => {
  const frames = [await plain(300, 200, red).png().toBuffer(), await plain(300, 200, blue).png().toBuffer()]
  const source = await sharp(frames, { join: { animated: true } })
    .toFormat(format)
    .toBuffer()
  expect((await sharp(source).metadata()).pages).toBe(2)
  const { high } = (await previewOf(source)).sizes
  expect([high.width, high.height]).toEqual([300, 200])
  expect((await sharp(high.bytes).metadata()).pages ?? 1).toBe(1)
  expect(await colourAt(high.bytes, 0.5, 0.5)).toBe('red')
})

test('behavior: images are never enlarged, and thin ones keep at least one pixel', async () => {
  const sizes = async (width: number, height: number) => sizesOf(await plain(width, height).png().toBuffer())
  expect(await sizes(24, 24)).toEqual(['24×24', '24×24', '24×24'])
  expect(await sizes(200, 400)).toEqual(['50×100', '125×250', '200×400'])
  expect(await sizes(20_000, 3)).toEqual(['100×1', '250×1', '500×1'])
  expect(await sizes(1, 1)).toEqual(['1×1', '1×1', '1×1'])
})

test('behavior: grey images stay grey, and transparent parts stay transparent', async () => {
  const grey = await plain(200, 200, { r: 10, g: 10, b: 10 }).toColourspace('b-w').png().toBuffer()
  expect(await colourAt((await previewOf(grey)).sizes.high.bytes, 0.5, 0.5)).toBe('other')
  const background = { ...red, alpha: 0 }
  const half = await sharp({ create: { width: 200, height: 200, channels: 4, background } })
    .composite([{ input: await plain(100, 200).png().toBuffer(), gravity: 'west' }])
    .png()
    .toBuffer()
  const { bytes } = (await previewOf(half)).sizes.high
  expect([await colourAt(bytes, 0.25, 0.5), await colourAt(bytes, 0.75, 0.5)]).toEqual(['red', 'none'])
})

test('behavior: an SVG fills the preview regardless of its declared size', async () => {
  const half = '<rect width="50%" height="100%" fill="red"/>'
  for (const attributes of [
    'viewBox="0 0 24 24"',
    'width="100%" height="100%" viewBox="0 0 24 24"',
    'width="10px" height="10px"',
    'viewBox="0 0 1000000 1000000"',
    'width="50000" height="50000"',
  ]) {
    const source = svg(half, attributes)
    expect(await sizesOf(source), attributes).toEqual(['100×100', '250×250', '500×500'])
    const { bytes } = (await previewOf(source)).sizes.high
    expect([await colourAt(bytes, 0.4, 0.5), await colourAt(bytes, 0.6, 0.5)], attributes).toEqual(['red', 'none'])
  }
})

test('behavior: an SVG is recognized after a prolog, comments, a DOCTYPE or a byte order mark, and with a prefix', async () => {
  const drawing = svg('<rect width="100" height="100" fill="red"/>').toString()
  const doctype = '<!DOCTYPE svg [<!ENTITY colour "red">]>'
  for (const source of [
    `<?xml version="1.0" encoding="UTF-8"?>\n<!-- <html> -->\n${drawing}`,
    `\uFEFF  ${drawing}`,
    `<?xml version="1.0"?><!--${'-*'.repeat(3_000)}-->${drawing}`,
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${drawing}`,
    `${doctype}${drawing.replace('"red"', '"&colour;"')}`,
    drawing.replaceAll(/<(\/?)(svg|rect)/g, '<$1s:$2').replace('xmlns=', 'xmlns:s='),
  ]) {
    const { mimetype, sizes } = await previewOf(Buffer.from(source))
    expect(mimetype).toBe('image/svg+xml')
    expect(await colourAt(sizes.low.bytes, 0.5, 0.5)).toBe('red')
  }
})
