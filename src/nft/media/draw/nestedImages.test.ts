import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plainBitmap } from '../../../../test/bitmap.ts'
import { blue, bombPng, colourAt, plain, red, svg } from '../../../../test/images.ts'
import { previewSettings } from '../../../../test/previewer.ts'
import { system } from '../../../../test/system.ts'
import { noopLog } from '../../../util/log.ts'
import { createPreviewer } from '../createPreviewer.ts'

const previewer = createPreviewer({ settings: previewSettings, log: noopLog })
afterAll(() => previewer.close())

const area = 'width="100" height="100"'
const base64 = (bytes: Buffer, type: string) => `data:${type};base64,${bytes.toString('base64')}`
const image = (href: string) => `<image ${area} href="${href}"/>`
const drawing = svg(`<rect ${area} fill="red"/>`)

/** Returns the colour at the centre of the preview, or the outcome without one. */
async function middle(source: Buffer | string): Promise<string> {
  const outcome = await previewer.preview(Buffer.from(source))
  if (outcome.status === 'success') return await colourAt(outcome.sizes.high.bytes, 0.5, 0.5)
  return outcome.status === 'failed' ? outcome.code : `${outcome.status} ${outcome.mimetype} ${outcome.category}`
}

const blank = 'unsupported_media image/svg+xml image'

const pictures = new Map<string, Buffer>()
beforeAll(async () => {
  for (const format of ['png', 'jpeg', 'gif', 'webp', 'avif'] as const)
    pictures.set(format, await plain(20, 10, red).toFormat(format).toBuffer())
  for (const bits of [1, 4, 8, 16, 24, 32] as const) pictures.set(`bmp ${bits}`, plainBitmap({ bits, colour: red }))
  pictures.set('bmp from the top', plainBitmap({ bits: 24, height: -3, colour: red }))
  pictures.set('svg+xml', drawing)
})

test.each([
  ['png', 'image/png'],
  ['png', 'image/gif'],
  ['png', 'text/plain'],
  ['jpeg', 'image/jpg'],
  ['jpeg', 'image/webp'],
  ['gif', 'image/gif'],
  ['gif', 'image/png'],
  ['webp', 'image/webp'],
  ['webp', 'application/octet-stream'],
  ['avif', 'image/avif'],
  ['bmp 1', 'image/bmp'],
  ['bmp 4', 'image/bmp'],
  ['bmp 8', 'image/x-ms-bmp'],
  ['bmp 16', 'image/bmp'],
  ['bmp 24', 'image/bmp'],
  ['bmp 32', 'image/bmp'],
  ['bmp from the top', 'image/bmp'],
  ['svg+xml', 'image/svg+xml'],
])('default: draws an image of %s in an SVG that declares it as %s', async (format, type) => {
  const source = pictures.get(format)!
  expect(await middle(svg(image(base64(source, type))))).toBe('red')
  const inside = svg(image(base64(source, type)))
  expect(await middle(svg(image(base64(inside, 'image/svg+xml'))))).toBe('red')
})

test('behavior: reads data: URIs in every form that collections write', async () => {
  const gif = pictures.get('gif')!.toString('base64')
  const text = drawing.toString()
  for (const content of [
    `<image ${area} xlink:href='data:image/gif;base64,${gif}'/>`,
    `<image ${area} href=" DATA:IMAGE/GIF;charset=utf-8;base64,${gif.slice(0, 8)}\n ${gif.slice(8)}"/>`,
    `<image ${area} href="data:image/gif;base64,${encodeURIComponent(gif.replace(/=+$/, ''))}"/>`,
    `<image ${area} href="data:image/gif;base64,${gif.slice(0, 8)}&#10;${gif.slice(8)}"/>`,
    image(`data:image/svg+xml;utf8,${encodeURIComponent(text)}`),
    image(`data:image/svg+xml,${text.replaceAll('<', '&lt;').replaceAll('"', '&quot;')}`),
    `<defs><pattern id="p" ${area} patternUnits="userSpaceOnUse">${image(`data:image/gif;base64,${gif}`)}</pattern></defs><rect ${area} fill="url(#p)"/>`,
    `<filter id="f"><feImage href="data:image/gif;base64,${gif}"/></filter><rect ${area} filter="url(#f)"/>`,
  ])
    expect(await middle(svg(content)), content).toBe('red')
})

test('behavior: an SVG without visible content is distinguished from one with an image', async () => {
  const html = 'xmlns="http://www.w3.org/1999/xhtml"'
  const png = base64(pictures.get('png')!, 'image/png')
  const remaining = [
    `<foreignObject ${area}><div ${html} style="background:red;height:100px"/></foreignObject>`,
    `<foreignObject ${area}><img ${html} src="${png}"/></foreignObject>`,
    `<style>svg{background-image:url(${png})}</style>`,
    `<g style="background:url('${png}')"/>`,
    image('https://example.com/a.png'),
    image('ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'),
    image(base64(Buffer.from('no image'), 'image/png')),
    image(base64(pictures.get('gif')!.subarray(0, 20), 'image/gif')),
    '<script>document.documentElement.append(1)</script>',
  ]
  for (const content of remaining) {
    expect(await middle(svg(content)), content).toBe(blank)
    expect(await middle(svg(`<rect ${area} fill="blue"/>${content}`)), content).toBe(blank)
    expect(await middle(svg(`<rect width="100" height="90" fill="blue"/>${content}`)), content).toBe('blue')
  }
  expect(await middle(svg(''))).toBe(blank)
  expect(await middle(svg(`<rect ${area} fill="red"/>`))).toBe('red')
})

test('behavior: draws an SVG that only a strict XML parser rejects', async () => {
  const rect = `<rect ${area} fill="red"/>`
  const plainSvg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${content}</svg>`
  const png = base64(pictures.get('png')!, 'image/png')
  for (const source of [
    plainSvg(`<image ${area} xlink:href="${png}"/>`),
    plainSvg(`<!-- a & <svg > xlink:x="" --><image ${area} xlink:href="${png}" inkscape:label="x"/>`),
    plainSvg(`${rect}<text>Salt & Pepper &nbsp; &unknown; &amp; &lt; &#233; é</text>`),
    plainSvg(`${rect}<a href="https://example.com/?a=b&c=d"><text>a</text></a><style><![CDATA[a & b]]></style>`),
    `<?xml version="1.0"?>${plainSvg(`${rect}<text>&</text>`)}`,
    `\n <?xml version="1.0"?>${plainSvg(rect)}`,
    svg(image(base64(Buffer.from(plainSvg(`<image ${area} xlink:href="${png}"/>`)), 'image/svg+xml'))),
    `<svg:svg xmlns:svg="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><svg:rect ${area} fill="red"/>&</svg:svg>`,
  ])
    expect(await middle(source), String(source)).toBe('red')
  expect(await middle(`<!DOCTYPE svg [<!ENTITY colour "red">]>${plainSvg(`<rect ${area} fill="&colour;"/>&`)}`)).toBe(
    'red',
  )
  expect(await middle(plainSvg(`${rect}<g>`))).toBe('undecodable')
})

test('behavior: paints the background color in the style of the SVG root, as browsers do', async () => {
  const root = (style: string, inner = '<circle cx="5" cy="5" r="3" fill="blue"/>') =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" ${style}>${inner}</svg>`
  for (const style of [
    'style="background:#f00"',
    "style='width:100%; background-color: red !important'",
    'style="background: rgb(255, 0, 0)" width="100"',
    'style="background-color:blue;background-color:#FF0000"',
    'style="background:rgb(999,0,0)"',
  ])
    expect(await middle(root(style)), style).toBe('red')
  expect(
    await middle(`<?xml version="1.0"?><!-- <svg style="background:blue"> -->${root('style="background:red"')}`),
  ).toBe('red')
  // Without a background, the centre is empty.
  const bare = await middle(root(''))
  for (const style of [
    'style="background:transparent"',
    'style="background:#f000"',
    'style="background:nocolour"',
    'style="background:rgb(1)"',
  ])
    expect(await middle(root(style)), style).toBe(bare)
  const partly = root(
    'style="background:red"',
    `<foreignObject ${area}><p xmlns="http://www.w3.org/1999/xhtml">a</p></foreignObject>`,
  )
  expect(await middle(partly)).toBe(blank)
})

test('behavior: the preview of an animation that begins with an empty frame shows a later frame', async () => {
  const clear = await sharp({ create: { width: 60, height: 40, channels: 4, background: { ...red, alpha: 0 } } })
    .png()
    .toBuffer()
  const frames = [clear, await plain(60, 40, red).ensureAlpha().png().toBuffer()]
  expect(
    await middle(
      await sharp(frames, { join: { animated: true } })
        .webp()
        .toBuffer(),
    ),
  ).toBe('red')
  expect(await middle(clear)).toBe('unsupported_media image/png image')
})

test('error: nested images over the limits of count, size and depth are skipped', system, async () => {
  const gif = pictures.get('gif')!
  const others = Array.from({ length: 256 }, (_, i) =>
    image(base64(Buffer.concat([gif, Buffer.from(`${i}`)]), 'image/gif')),
  )
  const last = image(base64(await plain(8, 8, blue).gif().toBuffer(), 'image/gif'))
  expect(await middle(svg(others.slice(1).join('') + last))).toBe('blue')
  expect(await middle(svg(others.join('') + last))).toBe('red')
  const same = image(base64(gif, 'image/gif'))
  expect(await middle(svg(same.repeat(2_000) + last))).toBe('blue')

  const large = Buffer.from(gif)
  const frame = large.indexOf(Buffer.from([0x2c, 0, 0, 0, 0]))
  for (const at of [6, 8, frame + 5, frame + 7]) large.writeUInt16LE(60_000, at)
  const claims = plainBitmap({ bits: 24, colour: red })
  claims.writeInt32LE(60_000, 18)
  for (const [bytes, type] of [
    [large, 'image/gif'],
    [claims, 'image/bmp'],
    [bombPng(30_000), 'image/gif'],
  ] as const)
    expect(await middle(svg(image(base64(bytes, type))))).toBe(blank)
  let deep = svg(same)
  for (let i = 0; i < 12; i++) deep = svg(image(base64(deep, 'image/svg+xml')))
  expect(await middle(deep)).toBe(blank)
})

test('error: an SVG that is slow to search is rejected or drawn in time', async () => {
  const rect = `<rect ${area} fill="red"/>`
  for (const content of [
    '<!--'.repeat(200_000),
    '&'.repeat(900_000),
    `<g ${'a:b '.repeat(200_000)}`,
    '<svg '.repeat(200_000),
    'href="data:'.repeat(80_000),
    `<style>${'background:'.repeat(80_000)}</style>${rect}`,
    `${'<image '.repeat(120_000)}${rect}`,
  ])
    expect(['undecodable', 'red', blank], content.slice(0, 20)).toContain(await middle(svg(content)))
})
