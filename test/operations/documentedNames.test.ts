import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFences, readPages } from '../documentedLines.ts'
import { resolveReferences } from '../resolveReferences.ts'

// Names in the prose of pages: operations with their parameters, headers and settings. test/documentedLines.test.ts runs command lines.
const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

type Operation = { parameters?: { name: string; in: string }[]; responses: Record<string, object> }
const openapi: { paths: Record<string, Record<string, Operation>> } = resolveReferences(
  JSON.parse(read('openapi.json')),
)

/** The prose of each page: without fences, and without the table of operations that this server does not have. */
const prose = readPages().map(({ page, text }) => ({
  page,
  text: readFences(text)
    .reduce((rest, { code }) => rest.replace(code, ''), text)
    .replace(
      /<!-- Written by `npm run docs` from the packages of the client[\s\S]*?<!-- End of what is written\. -->/,
      '',
    ),
}))
const named = (pattern: RegExp) =>
  prose.flatMap(({ page, text }) => [...text.matchAll(pattern)].map((match) => ({ page, match })))

/** A path whose parameters all look alike, so that `{wallet}` and `{address}` are equal. */
const shape = (path: string) => path.replaceAll(/\{[^}]*\}/g, '{}')
const operations = new Map(
  Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${shape(path)}`, operation] as const,
    ),
  ),
)

test('default: every operation on a page is in openapi.json with its query parameters', () => {
  const found = named(/`(GET|POST|PUT|DELETE) (\/[^\s`?]*)(?:\?([^`]*))?`/g)
  expect(found.length).toBeGreaterThan(70)
  const wrong = found.flatMap(({ page, match: [text, method, path, query = ''] }) => {
    const operation = operations.get(`${method} ${shape(path!)}`)
    if (!operation) return [`${page}: ${text}`]
    const parameters = operation.parameters?.filter((one) => one.in === 'query').map(({ name }) => name) ?? []
    return query
      .split('&')
      .map((pair) => pair.replace(/(?:\[\])?(?:=.*)?$/, ''))
      .filter((name) => name !== '' && !parameters.includes(name))
      .map((name) => `${page}: ${text} has no ${name}`)
  })
  expect(wrong).toEqual([])
})

test('behavior: every header on a page is in openapi.json or sent with webhooks', () => {
  const sent = new Set([...read('openapi.json').matchAll(/"(x-[a-z-]+)"/g)].map(([, name]) => name!))
  const found = named(/`(x-[a-z]+(?:-[a-z]+)*)`/g)
  expect(found.length).toBeGreaterThan(40)
  const ofWebhooks = ['x-signature']
  expect(
    found
      .filter(({ match: [, name] }) => !sent.has(name!) && !ofWebhooks.includes(name!))
      .map(({ page, match }) => `${page}: ${match[1]}`),
  ).toEqual([])
})

test('behavior: every setting on a page is in docs/configuration.md', () => {
  const settings = new Set([...read('docs/configuration.md').matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name!))
  const groups = [...new Set([...settings].filter((name) => name.includes('.')).map((name) => name.split('.')[0]!))]
  const found = named(new RegExp(`\`((?:${groups.join('|')})(?:\\.(?!ts\\b)\\w+)+)`, 'g'))
  expect(found.length).toBeGreaterThan(60)
  const wrong = found.filter(
    ({ match: [, name] }) => ![...settings].some((setting) => setting === name || setting.startsWith(`${name}.`)),
  )
  expect(wrong.map(({ page, match }) => `${page}: ${match[1]}`)).toEqual([])
})
