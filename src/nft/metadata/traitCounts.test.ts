import { expect, test } from 'vitest'
import type { Sql } from '../../db/database.ts'
import type { CollectionState } from '../query.ts'
import { createTraitCounts } from './traitCounts.ts'

const key = (n: number) => n.toString(16).padStart(32, '0')
const stateOf = (traitsVersion: bigint, id = 1n) => ({ epoch: 'e', partition: 0, id, traitsVersion }) as CollectionState

/** Answers the number of the statement for every key but those above 100, which nothing counts. */
function open(most?: number) {
  const asked: string[][] = []
  let wait = Promise.resolve()
  const sql = {
    async rows(_text: string, [, , traits]: [number, bigint, string[]]) {
      const number = asked.push(traits)
      await wait
      return traits.filter((trait) => Number.parseInt(trait, 16) <= 100).map((trait) => [trait, String(number)])
    },
  } as unknown as Sql
  const counts = createTraitCounts(sql, most)
  const read = async (state: CollectionState, ...keys: number[]) => {
    const texts = await counts.read(state, keys.map(key))
    return keys.map((n) => String(texts.get(key(n))))
  }
  return { asked, read, hold: (until: Promise<void>) => (wait = until) }
}

test('default: each is asked for once a version, also what nothing counts', async () => {
  const { asked, read } = open()
  expect(await read(stateOf(1n), 1, 2, 1, 101)).toEqual(['1', '1', '1', 'null'])
  expect(await read(stateOf(1n), 2, 3, 101)).toEqual(['1', '2', 'null'])
  expect(asked).toEqual([[key(1), key(2), key(101)], [key(3)]])
  expect(await read(stateOf(2n), 2, 101)).toEqual(['3', 'null'])
  expect(await read(stateOf(2n, 2n), 2)).toEqual(['4'])
  // Who knows an older version is given what is newer.
  expect(await read(stateOf(1n), 2)).toEqual(['3'])
  expect(await read(stateOf(2n))).toEqual([])
})

test('behavior: what was asked for with an older version is not kept for a newer one', async () => {
  const { read, hold } = open()
  const { promise, resolve } = Promise.withResolvers<void>()
  hold(promise)
  const older = read(stateOf(1n), 1)
  hold(Promise.resolve())
  expect(await read(stateOf(2n), 2)).toEqual(['2'])
  resolve()
  expect(await older).toEqual(['1'])
  expect(await read(stateOf(2n), 1)).toEqual(['3'])
})

test('behavior: keeps no more than it may, and answers all the same', async () => {
  const { asked, read } = open(10)
  const many = Array.from({ length: 50 }, (_, i) => i)
  expect(new Set(await read(stateOf(1n), ...many))).toEqual(new Set(['1']))
  for (let id = 2n; id < 40n; id++) expect(await read(stateOf(1n, id), 1)).toEqual([String(asked.length)])
  expect(await read(stateOf(1n, 39n), 1)).toEqual([String(asked.length)])
})
