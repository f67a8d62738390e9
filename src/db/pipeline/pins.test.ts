import { expect, test } from 'vitest'
import { createPins, withPartition } from './pins.ts'

const text = 'SELECT 1 FROM token t WHERE t.partition = $1 AND t.collection_id = $2 AND t.token_hash < $12'

const requested = (partition: number, of = text) => ({ text: of, values: [partition, 5n], rowMode: 'array' as const })

test('default: a repeatedly requested partition is inlined into the SQL, and the later parameters are renumbered', () => {
  const pins = createPins()
  const first = requested(172)
  for (let i = 0; i < 3; i++) expect(pins.of(first)).toBe(first)
  const pinned = pins.of(first)
  expect(pinned).toMatchObject({
    text: 'SELECT 1 FROM token t WHERE t.partition = 172::int2 AND t.collection_id = $1 AND t.token_hash < $11',
    values: [5n],
    rowMode: 'array',
  })
  expect(pins.of(requested(172))).toEqual(pinned)
})

test('behavior: each partition and each SQL text has its own statement name', () => {
  const pins = createPins()
  const nameOf = (partition: number, of: string) => {
    for (let i = 0; i < 3; i++) pins.of(requested(partition, of))
    return pins.of(requested(partition, of)).name
  }
  const names = [nameOf(1, text), nameOf(17, text), nameOf(1, `${text} LIMIT 1`)]
  expect(new Set(names).size).toBe(3)
  expect(names).not.toContain(undefined)
})

test('behavior: SQL with several partitions, or with the partition not as first parameter, is sent unchanged', () => {
  const pins = createPins()
  for (const of of [
    'SELECT 1 FROM token WHERE partition = ANY($1)',
    'SELECT $1 FROM token WHERE partition = $2',
    'SELECT 1 FROM token WHERE partition = $10 AND id = $1',
    'SELECT 1 FROM wallet_token t JOIN collection c ON c.partition = t.collection_partition WHERE t.partition = $1',
  ])
    for (let i = 0; i < 10; i++) expect(pins.of(requested(1, of)).text).toBe(of)
  const lists = { text, values: [[1, 2], 5n], rowMode: 'array' as const }
  for (let i = 0; i < 10; i++) expect(pins.of(lists)).toBe(lists)
})

test('behavior: a connection keeps a bounded number of pinned plans', () => {
  const pins = createPins()
  for (let round = 0; round < 5; round++) for (let p = 0; p < 256; p++) pins.of(requested(p))
  expect(pins.full).toBe(true)
  const own = Array.from({ length: 256 }, (_, p) => pins.of(requested(p))).filter(({ text: of }) => of !== text)
  expect(own).toHaveLength(200)
})

test('error: SQL without parameters stays unchanged', () => {
  expect(withPartition('SELECT 1', 3)).toBe('SELECT 1')
})
