import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '../src')
const read = (file: string) => readFileSync(join(src, file), 'utf8')

test.each([
  ['next step', 'cli/nextStep.ts', 'steps'],
  ['status', 'api/http/errorAnswer.ts', 'statuses'],
])('behavior: each code with a %s is the code of a defined error', (_, file, name) => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.ts'))
  const known = new Set(files.flatMap((one) => [...read(one).matchAll(/ code = '([A-Z_]+)'/g)].map(([, code]) => code)))
  const [, list = ''] = new RegExp(`^const ${name}: Record<.*?^}`, 'ms').exec(read(file))?.[0].split('= {') ?? []
  const codes = Array.from(list.matchAll(/^ {2}([A-Z_]+):/gm), ([, code]) => code)
  expect(codes.length).toBeGreaterThan(10)
  expect(codes.filter((code) => !known.has(code))).toEqual([])
})
