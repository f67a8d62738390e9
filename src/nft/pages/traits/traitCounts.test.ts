import { expect, test } from 'vitest'
import type { Sql } from '../../../db/database.ts'
import { createTraitCounts } from './traitCounts.ts'

const key = (n: number) => n.toString(16).padStart(32, '0')

/** Returns the number of the statement as every count, at a version that the test sets. Keys above 100 have no count. */
function open(most?: number) {
  const requested: string[][] = []
  let wait = Promise.resolve()
  let stored = 1n
  const sql = {
    async rows(_text: string, [, , traits]: [number, bigint, string[]]) {
      const number = requested.push(traits)
      const version = stored
      await wait
      const counted = traits.filter((trait) => Number.parseInt(trait, 16) <= 100)
      if (counted.length === 0) return [[version, null, null]]
      return counted.map((trait) => [version, trait, String(number)])
    },
  } as unknown as Sql
  const counts = createTraitCounts(sql, most)
  const readAt = async (id: bigint, version: bigint, ...keys: number[]) => {
    const found = await counts.read({ epoch: 'e', partition: 0, id }, version, keys.map(key))
    return { version: found.version, texts: keys.map((n) => String(found.texts.get(key(n)))) }
  }
  const read = async (version: bigint, ...keys: number[]) => (await readAt(1n, version, ...keys)).texts
  return {
    requested,
    read,
    readAt,
    hold: (until: Promise<void>) => (wait = until),
    store: (version: bigint) => (stored = version),
  }
}

test('default: each trait count is read once per version, including traits without a count', async () => {
  const { requested, read, readAt, store } = open()
  expect(await read(1n, 1, 2, 1, 101)).toEqual(['1', '1', '1', 'null'])
  expect(await read(1n, 2, 3, 101)).toEqual(['1', '2', 'null'])
  expect(requested).toEqual([[key(1), key(2), key(101)], [key(3)]])
  store(2n)
  expect(await read(2n, 2, 101)).toEqual(['3', 'null'])
  expect((await readAt(2n, 2n, 2)).texts).toEqual(['4'])
  expect(await read(2n)).toEqual([])
})

test('behavior: counts of another version than the requested one report their version and never replace it', async () => {
  const { read, readAt, store } = open()
  expect(await read(1n, 1)).toEqual(['1'])
  store(2n)
  // A cached count belongs to its version. Other counts can only be read in their current state.
  expect(await readAt(1n, 1n, 1)).toEqual({ version: 1n, texts: ['1'] })
  expect(await readAt(1n, 1n, 2)).toEqual({ version: 2n, texts: ['2'] })
  expect(await readAt(1n, 2n, 2)).toEqual({ version: 2n, texts: ['2'] })
  expect(await readAt(1n, 2n, 1)).toEqual({ version: 2n, texts: ['3'] })
})

test('behavior: after the version has changed, all requested counts are of the newer one', async () => {
  const { read, readAt, store } = open()
  expect(await read(1n, 1)).toEqual(['1'])
  store(2n)
  expect(await readAt(1n, 1n, 1, 2)).toEqual({ version: 2n, texts: ['3', '3'] })
})

test('behavior: counts read at an older version are not cached for a newer one', async () => {
  const { read, hold, store } = open()
  const { promise, resolve } = Promise.withResolvers<void>()
  hold(promise)
  const older = read(1n, 1)
  hold(Promise.resolve())
  store(2n)
  expect(await read(2n, 2)).toEqual(['2'])
  resolve()
  expect(await older).toEqual(['1'])
  expect(await read(2n, 1)).toEqual(['3'])
})

test('behavior: the cache keeps no more counts than allowed, and answers stay complete', async () => {
  const { requested, read, readAt } = open(10)
  const many = Array.from({ length: 50 }, (_, i) => i)
  expect(new Set(await read(1n, ...many))).toEqual(new Set(['1']))
  for (let id = 2n; id < 40n; id++) expect((await readAt(id, 1n, 1)).texts).toEqual([String(requested.length)])
  expect((await readAt(39n, 1n, 1)).texts).toEqual([String(requested.length)])
})
