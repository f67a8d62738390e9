import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Ways in which a text becomes markup, a script or an address that runs one. */
const refused =
  /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|srcdoc|\beval\(|new Function|createContextualFragment|javascript:|DOMParser/

/** An image may come from this server's own previews alone, so its address is never one that a document gave. */
const image = /<(?:img|image|video|audio|iframe|object|embed|source)\b/

const web = join(import.meta.dirname, '../../web')
const sources = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(?:tsx?|html)$/.test(path) && !/\.test\.ts$|artifact/.test(path))
  .map((path) => ({ path, text: readFileSync(join(web, path), 'utf8') }))

test('default: no text of others becomes markup', () => {
  expect(sources.length).toBeGreaterThan(20)
  expect(sources.filter(({ text }) => refused.test(text)).map(({ path }) => path)).toEqual([])
})

test('behavior: pictures are drawn in one place, which takes previews of this server alone', () => {
  expect(sources.filter(({ text }) => image.test(text)).map(({ path }) => path)).toEqual(['parts/Preview.tsx'])
})
