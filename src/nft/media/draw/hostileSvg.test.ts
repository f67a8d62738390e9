import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bombPng, colourAt, plain, svg } from '../../../../test/images.ts'
import { previewSettings, succeeded } from '../../../../test/previewer.ts'
import { temporaryFolder } from '../../../../test/temporaryFolder.ts'
import { noopLog } from '../../../util/log.ts'
import { createPreviewer } from '../createPreviewer.ts'

const previewer = createPreviewer({ settings: previewSettings, log: noopLog })
afterAll(() => previewer.close())

/** Requests of programs that follow a reference. */
const requested: string[] = []
const server = createServer((request, response) => {
  requested.push(request.url ?? '')
  response.end()
})
let origin: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const area = 'width="100" height="100"'

/** Returns the colour at the centre of the preview. Without a preview it returns the error code, or the type if nothing is visible. */
async function middle(source: Buffer | string): Promise<string> {
  const outcome = await previewer.preview(Buffer.from(source))
  if (outcome.status !== 'success') return outcome.status === 'failed' ? outcome.code : outcome.mimetype
  return await colourAt(outcome.sizes.high.bytes, 0.5, 0.5)
}

test('error: file references in an SVG are not followed', async () => {
  const folder = await temporaryFolder()
  const path = (name: string) => join(folder, name)
  const png = await plain(100, 100).png().toBuffer()
  writeFileSync(path('red.png'), png)
  writeFileSync(path('red.svg'), svg(`<rect id="a" ${area} fill="red"/>`))
  writeFileSync(path('red.css'), 'rect { fill: red }')
  writeFileSync(path('red.txt'), 'red')
  const url = (name: string) => pathToFileURL(path(name)).href
  const data = (source: Buffer, type: string) => `data:${type};base64,${source.toString('base64')}`
  const byFile = svg(`<image href="${url('red.png')}" ${area}/>`)

  // The SVG draws its own images and shapes. So the following ones are empty only for the tested reason.
  expect(await middle(svg(`<image href="${data(png, 'image/png')}" ${area}/>`))).toBe('red')
  expect(await middle(svg(`<rect ${area} fill="red"/>`))).toBe('red')
  for (const content of [
    `<image href="${url('red.png')}" ${area}/>`,
    `<image xlink:href="${url('red.png')}" ${area}/>`,
    `<image href="${path('red.png')}" ${area}/>`,
    `<image href="../../../../../..${path('red.png')}" ${area}/>`,
    `<image href="red.png" xml:base="${url('')}/" ${area}/>`,
    `<image href="${data(byFile, 'image/svg+xml')}" ${area}/>`,
    `<use href="${url('red.svg')}#a"/>`,
    `<xi:include href="${url('red.svg')}"/>`,
    `<filter id="f"><feImage href="${url('red.png')}"/></filter><rect ${area} filter="url(#f)"/>`,
    `<rect ${area} fill="url(${url('red.svg')}#a)"/>`,
    '<image href="file:///etc/passwd" width="100" height="100"/>',
  ])
    expect(await middle(svg(content)), content).toBe('image/svg+xml')
  const blue = `<rect ${area} fill="blue"/>`
  expect(await middle(svg(`<style>@import url("${url('red.css')}");</style>${blue}`))).toBe('blue')
  expect(await middle(`<?xml-stylesheet href="${url('red.css')}" type="text/css"?>${svg(blue)}`)).toBe('blue')

  const entity = `<!DOCTYPE svg [<!ENTITY x SYSTEM "${url('red.txt')}">]>`
  expect(await middle(`${entity}${svg(`<rect ${area} fill="blue"/><desc>&x;</desc>`)}`)).toBe('undecodable')
  writeFileSync(path('red.dtd'), '<!ENTITY colour "red">')
  const coloured = svg(`<rect ${area} fill="&colour;"/>`)
  expect(await middle(`<!DOCTYPE svg [<!ENTITY colour "red">]>${coloured}`)).toBe('red')
  expect(await middle(`<!DOCTYPE svg SYSTEM "${url('red.dtd')}">${coloured}`)).not.toBe('red')
  expect(await middle(`<!DOCTYPE svg [<!ENTITY % x SYSTEM "${url('red.dtd')}"> %x;]>${coloured}`)).not.toBe('red')
})

test('error: host references in an SVG are not followed', async () => {
  const content = [
    `<image href="${origin}/image" ${area}/><image xlink:href="${origin}/xlink" ${area}/>`,
    `<image href="//${new URL(origin).host}/relative" ${area}/><use href="${origin}/use#a"/>`,
    `<style>@import url("${origin}/css"); @font-face { font-family: x; src: url(${origin}/font) }</style>`,
    `<text y="50" font-family="x" fill="url(${origin}/fill#a)">x</text><xi:include href="${origin}/include"/>`,
    `<foreignObject ${area}><img xmlns="http://www.w3.org/1999/xhtml" src="${origin}/html"/></foreignObject>`,
    `<script href="${origin}/script"/><script>fetch("${origin}/fetch")</script><filter id="f"><feImage href="${origin}/filter"/></filter>`,
    `<rect ${area} filter="url(#f)"/><rect ${area} fill="red"/>`,
  ].join('')
  expect(await middle(svg(content))).toBe('red')
  expect(await middle(`<!DOCTYPE svg SYSTEM "${origin}/dtd">${svg(`<rect ${area} fill="red"/>`)}`)).toBe('red')
  expect(await middle(`<!DOCTYPE svg [<!ENTITY x SYSTEM "${origin}/entity">]>${svg('<desc>&x;</desc>')}`)).toBe(
    'undecodable',
  )
  expect(requested).toEqual([])
  await fetch(`${origin}/seen`)
  expect(requested).toEqual(['/seen'])
})

test('error: billion laughs and other endlessly growing SVGs are rejected or drawn in bounds', async () => {
  const entities = Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join('')
  const laughs = `<!DOCTYPE svg [<!ENTITY a0 "lol">${entities}]>${svg('<text>&a9;</text>')}`
  const loop = `<!DOCTYPE svg [<!ENTITY a "&b;"><!ENTITY b "&a;">]>${svg('<text>&a;</text>')}`
  const deep = svg(`${'<g>'.repeat(200_000)}${'</g>'.repeat(200_000)}`)
  expect([await middle(laughs), await middle(loop), await middle(deep)]).toEqual([
    'undecodable',
    'undecodable',
    'undecodable',
  ])

  const drawn = `<rect ${area} fill="red"/>`
  for (const content of [
    '<g id="a"><use href="#a"/></g>',
    '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>',
    '<pattern id="a" width="1" height="1"><rect width="1" height="1" fill="url(#a)"/></pattern><rect width="9" height="9" fill="url(#a)"/>',
    '<filter id="f"><feTurbulence numOctaves="1000000" baseFrequency="0.5"/></filter><rect width="9" height="9" filter="url(#f)"/>',
    '<filter id="g" x="-1000%" y="-1000%" width="3000%" height="3000%"><feGaussianBlur stdDeviation="100000"/></filter><rect width="9" height="9" filter="url(#g)"/>',
  ])
    expect(['red', 'undecodable'], content).toContain(await middle(svg(content + drawn)))
})

test('error: image limits also apply to an image inside an SVG', async () => {
  const href = `data:image/png;base64,${bombPng(30_000).toString('base64')}`
  expect(await middle(svg(`<rect ${area} fill="blue"/><image href="${href}" ${area}/>`))).toBe('blue')
})

test('error: an SVG with invalid sizes is rejected or drawn without a crash', async () => {
  for (const size of [
    'width="0" height="0"',
    'width="-5" height="5"',
    'width="1000000000" height="1000000000"',
    'width="1e999" height="1"',
  ])
    expect(await middle(svg(`<rect ${area} fill="red"/>`, size)), size).toMatch(/^(?:undecodable|red|none)$/)
  expect(await middle('<svg')).toBe('undecodable')
  expect(await middle('<svg xmlns="http://www.w3.org/2000/svg"')).toBe('undecodable')
  succeeded(await previewer.preview(svg(`<rect ${area} fill="red"/>`)))
})
