import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../test/api.ts'
import { renderMarkdown } from '../document/renderMarkdown.ts'

const docs = join(import.meta.dirname, '../../../docs')
const names = readdirSync(docs)
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(0, -3))
let own: TestApi

beforeAll(async () => {
  own = await createTestApi()
})
afterAll(() => own.drop())

/** Sends a request without a key. */
const send = (path: string, headers: Record<string, string> = {}) =>
  own.api.request(new Request(`http://localhost${path}`, { headers }))

test('default: every file of docs/ is a public page without inline or external resources', async () => {
  const pages = ['', ...names.map((name) => `/${name}`)]
  for (const page of pages) {
    const response = await send(`/docs/guide${page}`, { accept: 'text/html' })
    expect(response.status, page).toBe(200)
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'self'; img-src 'self';/,
    )
    const html = await response.text()
    expect(html, page).not.toMatch(/<script|<style|<img|\sstyle=|<[^>]*\son\w+=|<!--|javascript:/)
    expect(html).toContain('aria-label="Pages"')
    expect(html.match(/<h1/g), page).toHaveLength(1)
    const again = await send(`/docs/guide${page}`, { 'if-none-match': response.headers.get('etag')! })
    expect(again.status).toBe(304)
  }
})

test('behavior: the index lists every page, and every link within the guide resolves', async () => {
  const pages = new Map<string, string>()
  for (const name of ['', ...names])
    pages.set(name, await (await send(name ? `/docs/guide/${name}` : '/docs/guide')).text())
  for (const name of names) expect(pages.get('')).toContain(`href="/docs/guide/${name}"`)
  const broken: string[] = []
  for (const [from, html] of pages)
    for (const [, link] of html.matchAll(/href="([^"]+)"/g)) {
      const inside = /^(?:\/docs\/guide(?:\/([\w-]+))?)?(?:#([\w-]+))?$/.exec(link!)
      if (!inside && !/^(https?:\/\/|\/$|\/docs$|\/docs\/|\/openapi\.json$)/.test(link!))
        broken.push(`${from}: ${link}`)
      if (!inside) continue
      const [, page, anchor] = inside
      const target = pages.get(link!.startsWith('#') ? from : (page ?? ''))
      if (target === undefined || (anchor && !target.includes(`id="${anchor}"`))) broken.push(`${from}: ${link}`)
    }
  expect(broken).toEqual([])
  // The page mentions files that the server does not have, without a link.
  expect(pages.get('operations')).not.toMatch(/href="[^"]*(?:\.md|deploy)/)
})

test('behavior: code in a guide page is HTML-escaped, and the stylesheet is served as CSS', async () => {
  const html = await (await send('/docs/guide/webhooks')).text()
  const markdown = readFileSync(join(docs, 'webhooks.md'), 'utf8')
  expect(markdown).toContain('=> {')
  expect(html).toContain('=&gt; {')
  expect((await send('/docs/guide.css')).headers.get('content-type')).toBe('text/css; charset=utf-8')
})

test('behavior: raw HTML in Markdown is escaped, and comments are removed', async () => {
  const { html } = await renderMarkdown(`# Page

<script>alert(1)</script>

<!-- Written by a program. -->

A <img src="x" onerror="alert(2)"> and <b onclick='alert(3)'>bold</b> <!-- secret -->, [run](javascript:alert(4)).

- <iframe srcdoc="&lt;script>alert(5)&lt;/script>"></iframe>
`)
  // The HTML has only tags of Markdown, and only attributes that the page sets.
  const tags = new Set([...html.matchAll(/<[^>]*>/g)].map(([tag]) => tag))
  expect([...tags].sort()).toEqual(['</h1>', '</li>', '</p>', '</ul>', '<h1 id="page">', '<li>', '<p>', '<ul>'])
  for (const text of [
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '&lt;img src=&quot;x&quot; onerror=&quot;alert(2)&quot;&gt;',
    "&lt;b onclick='alert(3)'&gt;bold&lt;/b&gt;",
    '&lt;iframe srcdoc=',
  ])
    expect(html).toContain(text)
  expect(html).not.toMatch(/Written|secret|javascript:/)
})

test.each(['nowhere', 'quickstart.md', '..%2fpackage', 'constructor'])('error: the page %s gets 404', async (name) => {
  const response = await send(`/docs/guide/${name}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
  expect(await response.json()).toMatchObject({ statusCode: 404, message: expect.any(String) })
})
