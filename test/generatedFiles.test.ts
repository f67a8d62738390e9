import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The rows of CONTRIBUTING.md: files, the program that writes them, and the reason to commit them. */
const section = read('CONTRIBUTING.md').split('## Generated files in git\n')[1]?.split('\n## ')[0] ?? ''
const rows = [...section.matchAll(/^\| (`[^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].flatMap(([, cell, by, reason]) =>
  [...cell!.matchAll(/`([^`]+)`/g)].map(([, files]) => ({
    files: files!,
    writer: /`(scripts\/[^`]+)`/.exec(by!)?.[1],
    reason: reason!,
  })),
)
const listed = new Set(rows.flatMap(({ files }) => globSync(files, { cwd: root })))

/** Files of the clone that git tracks, or that are not ignored. */
const kept = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)))

test('default: CONTRIBUTING.md lists every committed file that is generated from code', () => {
  const mark = /^(?:\/\/|<!--) Written by (?:scripts\/|`npm run )/m
  const isText = /\.(?:ts|tsx|md|json|sql|css|html|ya?ml)$/
  const made = kept.filter(
    (path) => /\.artifact\.|\/artifacts\//.test(path) || (isText.test(path) && mark.test(read(path))),
  )
  const written = [...read('scripts/writeDocs.ts').matchAll(/\bat\('([^']+)'\)/g)].map(([, path]) => path!)
  expect(written.length).toBeGreaterThan(3)
  expect(made.length).toBeGreaterThan(30)
  expect([...made, ...written].filter((path) => !listed.has(path))).toEqual([])
})

test('behavior: every row of the list of generated files has committed files, their writer and a reason', () => {
  expect(rows.length).toBeGreaterThan(7)
  for (const { files, writer, reason } of rows) {
    const found = globSync(files, { cwd: root })
    expect(found, files).not.toEqual([])
    expect(found.filter((path) => !kept.includes(path))).toEqual([])
    if (writer) expect(existsSync(join(root, writer)), writer).toBe(true)
    expect(reason.length).toBeGreaterThan(10)
  }
})
