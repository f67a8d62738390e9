import { expect, test } from 'vitest'
import { chunksOf } from './chunksOf.ts'

test.each([
  [[], []],
  [['a'], [['a']]],
  [['a', 'b'], [['a', 'b']]],
  [
    ['a', 'b', 'c'],
    [['a', 'b'], ['c']],
  ],
])('default: %j in chunks of two is %j', (items, chunks) => {
  expect([...chunksOf(items, 2)]).toEqual(chunks)
})
