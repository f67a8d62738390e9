import { expect, test } from 'vitest'
import { createTally } from './tally.ts'

const lists = { logs: [], txs: [{}], txsInternal: [], erc20Transfers: [], nftTransfers: [] }
const bodyOf = (block: number, more: object = {}) => JSON.stringify({ block, ...lists, ...more })

test('default: all webhooks are counted, and the latest 50 are shown', () => {
  const tally = createTally(1n)
  for (let block = 120; block > 20; block--) tally.add(BigInt(block), block % 4 === 0 ? [] : [bodyOf(block)])
  const { samples, ...reported } = tally.preview(undefined)
  expect(samples.map(({ block }) => block)).toEqual(
    Array.from({ length: 100 }, (_, i) => 120 - i)
      .filter((block) => block % 4 !== 0)
      .slice(0, 50),
  )
  expect(reported).toEqual({
    ...{ chainId: '0x1', fromBlock: '21', toBlock: '120', blocks: 100 },
    cutShort: [
      {
        reason: 'samples',
        message: expect.stringMatching(/^the samples are the latest 50 of 75 webhooks; at most 50 /),
      },
    ],
    matched: { blocks: 75, webhooks: 75, logs: 0, txs: 75, txsInternal: 0, erc20Transfers: 0, nftTransfers: 0 },
  })
})

test('behavior: samples end before the one that exceeds the size limit, even if it is the first', () => {
  const large = (bytes: number) => bodyOf(1, { data: 'x'.repeat(bytes) })
  const shown = (bodies: string[]) => {
    const tally = createTally(1n)
    tally.add(1n, bodies)
    const { samples, cutShort, matched } = tally.preview(undefined)
    return [samples.length, cutShort.length, matched.webhooks]
  }
  expect(shown([large(4_000_000), large(900_000)])).toEqual([2, 0, 2])
  expect(shown([large(4_000_000), large(1_000_000), large(1)])).toEqual([1, 1, 3])
  expect(shown([large(5_000_000)])).toEqual([0, 1, 1])
})

test('behavior: the reason why a preview ended precedes the reason why webhooks are not shown', () => {
  const tally = createTally(1n)
  tally.add(
    1n,
    Array.from({ length: 51 }, () => bodyOf(1)),
  )
  const cut = { reason: 'time', message: 'over' } as const
  expect(tally.preview(cut).cutShort.map(({ reason }) => reason)).toEqual(['time', 'samples'])
})
