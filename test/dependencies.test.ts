import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Matches `import … from 'x'`, `export … from 'x'` and `import('x')`. Types are excluded, as they need no package at run time. */
const imported = /^(?:(?:import|export) (?!type\b)[^'"`]*?from |import )'([^'.][^']*)'|\bimport\('([^'.][^']*)'\)/gm

test('default: package.json lists every package that the program imports as a dependency', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object }
  const names = new Set<string>()
  for (const file of globSync('src/**/*.ts').filter((name) => !name.endsWith('.test.ts')))
    for (const [, first, second] of readFileSync(file, 'utf8').matchAll(imported)) names.add((first ?? second)!)
  const packages = [...names]
    .filter((name) => !name.startsWith('node:'))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)![0])
  expect(packages).toContain('zod')
  expect(packages.filter((name) => !Object.hasOwn(dependencies, name))).toEqual([])
})
