import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { modules } from '../../lint/layers.ts'
import { headingId } from '../../src/api/document/renderMarkdown.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/security.md'), 'utf8')
const architecture = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
const decisions = readdirSync(join(root, 'docs/decisions'))
  .map((name) => readFileSync(join(root, 'docs/decisions', name), 'utf8'))
  .join('\n')
const guards = page.split('\n').filter((line) => /^\| (?!threat|---)/.test(line))

test('default: every guard in docs/security.md refers to existing tests by their titles', () => {
  expect(guards.length).toBeGreaterThan(25)
  const missing: string[] = []
  for (const line of guards) {
    const named = [...line.matchAll(/`((?:src|test)\/[\w/.-]+\.test\.ts)`((?:,? “[^”]+”)*)/g)]
    if (named.length === 0) missing.push(line)
    for (const [, file, titles] of named) {
      if (!existsSync(join(root, file!))) missing.push(file!)
      else {
        const text = readFileSync(join(root, file!), 'utf8')
        for (const [, title] of titles!.matchAll(/“([^”]+)”/g))
          if (!text.includes(title!)) missing.push(`${file}: ${title}`)
      }
    }
  }
  expect(missing).toEqual([])
})

test.each([
  ['docs/architecture.md', architecture],
  ['CONTRIBUTING.md', readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')],
  ['docs/decisions/', decisions],
])('behavior: every file and folder in %s exists', (_, text) => {
  const paths = ['src', 'web'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).map(
      (entry) => `/${relative(root, join(entry.parentPath, entry.name))}${entry.isDirectory() ? '/' : ''}`,
    ),
  )
  const named = [...text.matchAll(/`([\w/-]+(?:(?:\.test)?\.ts|\.sql|\/))`/g)].map(([, path]) => path!)
  expect(named.length).toBeGreaterThan(40)
  const exists = (name: string) => paths.some((path) => path.endsWith(`/${name}`)) || existsSync(join(root, name))
  // Exceptions: in a recipe, capitals are a placeholder for a name. A path that begins with / is an HTTP path, and dist/ is built.
  expect(named.filter((name) => !/[A-Z]{4}|X\.|^\/|^dist\//.test(name) && !exists(name))).toEqual([])
})

test('behavior: docs/architecture.md lists every module of lint/layers.ts after the modules that it imports', () => {
  const rows = sectionOf('Modules')
    .split('\n')
    .map((line) => line.split('|')[1] ?? '')
  const rowOf = (module: string) => rows.findIndex((row) => row.includes(`\`${module}/\``))
  const wrong = Object.entries(modules).flatMap(([module, allowed]) => [
    ...(rowOf(module) < 0 ? [`${module} is not in the table`] : []),
    ...allowed
      .split(' ')
      .filter((other) => other in modules && rowOf(other) > rowOf(module))
      .map((other) => `${module} imports ${other}, which stands below it`),
  ])
  expect(wrong).toEqual([])
})

test.each(['A log, from the node to a page', 'A match, from the block to its receiver'])(
  'behavior: each step of the section “%s” refers to exported functions of existing files',
  (title) => {
    const steps = sectionOf(title)
      .split('\n')
      .filter((line) => /^\d+\. /.test(line))
    expect(steps.length).toBeGreaterThanOrEqual(10)
    const wrong = steps.flatMap((step) => {
      const named = [...step.matchAll(/`(\w+)` \(`([\w/]+\.ts)`\)/g)]
      return named.length === 0
        ? [step]
        : named.flatMap(([, name, file]) => (exportsOf(file!, name!) ? [] : [`${file}: ${name}`]))
    })
    expect(wrong).toEqual([])
  },
)

/** The text below a heading of docs/architecture.md, up to the next one. */
function sectionOf(title: string): string {
  const from = architecture.indexOf(`\n## ${title}\n`)
  expect(from, title).toBeGreaterThan(0)
  return architecture.slice(from, architecture.indexOf('\n## ', from + 1))
}

function exportsOf(file: string, name: string): boolean {
  const path = join(root, 'src', file)
  return (
    existsSync(path) &&
    new RegExp(`^export (?:async )?(?:function\\*? |const )${name}\\b`, 'm').test(readFileSync(path, 'utf8'))
  )
}

test('behavior: every page of docs/ begins with what its reader can do afterwards', () => {
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  expect(pages.length).toBeGreaterThan(15)
  const firstLines = pages.map((name) => `${name}: ${readFileSync(join(root, 'docs', name), 'utf8').split('\n')[2]}`)
  expect(firstLines.filter((line) => !line.includes(': After this page you '))).toEqual([])
})

test.each<[page: string, atMost: number]>([
  ['CHANGELOG.md', 80],
  ['docs/architecture.md', 250],
  ['docs/performance.md', 250],
  ['docs/scaling.md', 250],
  ...readdirSync(join(root, 'docs/decisions'))
    .filter((name) => name !== 'README.md')
    .map((name): [string, number] => [`docs/decisions/${name}`, 40]),
])('behavior: %s has at most %d lines', (page, atMost) => {
  expect(readFileSync(join(root, page), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(atMost)
})

test('behavior: docs/decisions/README.md lists every decision', () => {
  const index = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8')
  const listed = [...index.matchAll(/\]\((\d{4}-[\w-]+\.md)\) (.+)$/gm)].map(([, file, title]) => `${file}: ${title}`)
  const present = readdirSync(join(root, 'docs/decisions'))
    .filter((name) => name !== 'README.md')
    .map(
      (name) =>
        `${name}: ${readFileSync(join(root, 'docs/decisions', name), 'utf8')
          .split('\n')[0]!
          .slice(2)}`,
    )
  expect(listed.sort()).toEqual(present.sort())
})

test('behavior: every link between pages resolves', () => {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  )
  const links = [...pages.map((name) => `docs/${name}`), 'README.md', 'CONTRIBUTING.md'].flatMap((name) =>
    [...readFileSync(join(root, name), 'utf8').matchAll(/\]\((?!http)([^)#\s]+)?(?:#([\w-]+))?\)/g)].map(
      ([, path, anchor]) => ({
        name,
        path: path === undefined ? name : join(dirname(name), path),
        anchor,
      }),
    ),
  )
  const broken = links.filter(({ path, anchor }) => {
    if (!existsSync(join(root, path))) return true
    if (!anchor) return false
    const headings = readFileSync(join(root, path), 'utf8').matchAll(/^#+ (.+)$/gm)
    return ![...headings].some(([, title]) => headingId(title!) === anchor)
  })
  expect(links.length).toBeGreaterThan(10)
  expect(broken).toEqual([])
})
