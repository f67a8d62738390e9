import { expect, test } from 'vitest'
import { get } from '../../../api/apiCall.ts'
import { countHolders, shareOf } from './countHolders.ts'
import { linesOf } from './linesOf.ts'

const call = get('/api/v2/nft/{address}/snapshot', { path: { address: '0x1' }, query: { chain: 'eth' } })
const address = (n: number) => `0x${String(n).padStart(40, '0')}`
const bytesOf = (text: string, size: number) =>
  new ReadableStream({
    start(controller) {
      const bytes = new TextEncoder().encode(text)
      for (let i = 0; i < bytes.length; i += size) controller.enqueue(bytes.slice(i, i + size))
      controller.close()
    },
  })

test('default: sums a snapshot by holder, for any size of its chunks', async () => {
  const rows = [
    ...Array.from({ length: 30 }, (_, i) => [i, address(1), 1]),
    [30, address(2), 5],
    [31, address(2), 1],
    [32, address(3), `${10n ** 30n}`],
  ]
  const text = `token_id,owner_of,amount\n${rows.map((row) => row.join(',')).join('\n')}\n`
  for (const size of [1, 7, 100_000]) {
    const { holders, amount, largest, groups } = await countHolders(linesOf(call, bytesOf(text, size)))
    expect(holders).toBe(3)
    expect(amount).toBe(10n ** 30n + 36n)
    expect(largest.map(({ owner, tokens }) => [owner, tokens])).toEqual([
      [address(3), 1],
      [address(1), 30],
      [address(2), 2],
    ])
    expect(groups.map(({ from, to, holders: count }) => [from, to, count])).toEqual([
      [1, 1, 0],
      [2, 5, 0],
      [6, 20, 1],
      [21, 100, 1],
      [101, 1_000, 0],
      [1_001, null, 1],
    ])
  }
})

test('behavior: an empty snapshot has no holders', async () => {
  const { holders, largest } = await countHolders(linesOf(call, bytesOf('token_id,owner_of,amount\n', 9)))
  expect([holders, largest]).toEqual([0, []])
  expect([shareOf(0n, 0n), shareOf(1n, 3n), shareOf(10n ** 30n, 10n ** 30n)]).toEqual([0, 0.333333, 1])
})

test('error: a snapshot whose connection breaks is reported in the words of the console', async () => {
  const cut = new ReadableStream({
    start(controller) {
      controller.error(new TypeError('network error'))
    },
  })
  await expect(countHolders(linesOf(call, cut))).rejects.toMatchObject({
    name: 'ApiFault',
    message: 'the server did not finish its response',
  })
})
