import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/security.md'), 'utf8')
const guards = page.split('\n').filter((line) => /^\| (?!threat|---)/.test(line))

test('default: every guard names tests that exist, by the titles that they have', () => {
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

test('behavior: every file and folder that docs/architecture.md names exists', () => {
  const paths = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true }).map(
    (entry) => `/${relative(root, join(entry.parentPath, entry.name))}${entry.isDirectory() ? '/' : ''}`,
  )
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const named = [...page.matchAll(/`([\w/-]+(?:\.ts|\/))`/g)].map(([, path]) => path!)
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((name) => !paths.some((path) => path.endsWith(`/${name}`)))).toEqual([])
})

test('behavior: every link between pages leads somewhere', () => {
  const folder = join(root, 'docs')
  const links = ['operations.md', 'quickstart.md', 'security.md', 'architecture.md'].flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/\]\(([^)#\s]+)?(?:#([\w-]+))?\)/g)].map(
      ([, path, anchor]) => ({
        name,
        path: path ?? name,
        anchor,
      }),
    ),
  )
  const broken = links
    .filter(({ path }) => !path.startsWith('http'))
    .filter(({ path, anchor }) => {
      if (!existsSync(join(folder, path))) return true
      if (!anchor) return false
      const headings = readFileSync(join(folder, path), 'utf8').matchAll(/^#+ (.+)$/gm)
      return ![...headings].some(
        ([, title]) =>
          title!
            .toLowerCase()
            .replace(/[^\w -]/g, '')
            .replaceAll(' ', '-') === anchor,
      )
    })
  expect(links.length).toBeGreaterThan(10)
  expect(broken).toEqual([])
})
