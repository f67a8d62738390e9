import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configDocs } from '../scripts/configDocs.ts'

test('default: docs/configuration.md matches the schema (npm run docs writes it)', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/configuration.md'), 'utf8')
  expect(page).toBe(configDocs(page))
})
