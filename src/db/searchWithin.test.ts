import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/database.ts'
import { withinTime } from './inSnapshot.ts'
import { type Finder, searchWithin } from './searchWithin.ts'

let t: TestDatabase
beforeAll(async () => {
  t = await createTestDatabase()
})
afterAll(() => t.drop())

const options = { text: 'a', limit: 2, ms: 60_000 }
const search = (finders: Finder<string>[], ms = options.ms) =>
  searchWithin(t.db, { ...options, ms }, (item) => item, finders)
const giving =
  (items: string[], cutShort = false): Finder<string> =>
  async () => ({ items, cutShort })
const endless: Finder<string> = async (sql) => {
  await sql.rows('SELECT pg_sleep(3600)')
  return { items: ['late'] }
}

test('default: returns the most certain results first, each once', async () => {
  expect(await search([giving(['x']), giving(['x', 'y'])])).toEqual({ items: ['x', 'y'], more: false, cutShort: false })
})

test('behavior: stops searching once enough results are found', async () => {
  expect(await search([giving(['x', 'y', 'z'], true), endless])).toEqual({
    items: ['x', 'y'],
    more: true,
    cutShort: false,
  })
})

test('behavior: a search that exceeds the time limit is cut short, and earlier results are kept', async () => {
  expect(await search([giving(['x']), endless, endless], 100)).toEqual({ items: ['x'], more: false, cutShort: true })
  expect(await search([giving(['x'], true)])).toMatchObject({ cutShort: true })
})

test('error: a finder cannot write, and errors other than the time limit are thrown', async () => {
  await expect(withinTime(t.db, 60_000, (sql) => sql.run(`DELETE FROM chain`))).rejects.toMatchObject({ code: '25006' })
  await expect(search([(sql) => sql.rows('SELECT 1 / 0').then(() => ({ items: [] }))])).rejects.toMatchObject({
    code: '22012',
  })
})
