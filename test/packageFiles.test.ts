import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { linkedPaths, namedPaths } from '../scripts/namedPaths.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const { files } = JSON.parse(read('package.json')) as { files: string[] }
/** npm includes these in every package. */
const always = ['README.md', 'package.json', 'LICENSE']

/** The paths that are not in the package. */
const absent = (paths: readonly string[]) =>
  paths.filter((path) => !existsSync(join(root, path)) || ![...files, ...always].includes(path.split('/')[0]!))

test('default: every file that a message, help text or description refers to is in the package', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join('src', name))
  const named = [...sources, 'bin/mintmark.js', 'openapi.json'].flatMap((source) => namedPaths(read(source)))
  expect(named).toContain('docs/configuration.md')
  expect(absent(named)).toEqual([])
})

test('behavior: every link and path on the pages of the package leads to a file in the package', () => {
  const inDocs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  const pages = ['README.md', ...inDocs.map((name) => join('docs', name))]
  const links = pages.flatMap((page) =>
    linkedPaths(read(page)).map((link) => relative(root, join(root, dirname(page), link))),
  )
  expect(links).toContain('deploy/grafana/mintmark.json')
  expect(absent([...links, ...pages.flatMap((page) => namedPaths(read(page)))])).toEqual([])
})

test('behavior: repository paths are distinguished from URL paths of the server and of other sites', () => {
  const text =
    'see docs/a.md, `deploy/x/b.sh`. Not /docs, http://a/docs/18/c.html, /docs/d.css or node_modules/docs/e.md'
  expect(namedPaths(text)).toEqual(['docs/a.md', 'deploy/x/b.sh'])
  expect(linkedPaths('[a](b.md#c) [d](https://e/f) [g](#h) [i](../j.json)')).toEqual(['b.md', '../j.json'])
})
