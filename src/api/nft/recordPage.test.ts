import { expect, test } from 'vitest'
import { createByteList } from '../../util/byteList.ts'
import { type NextPage, recordPage, type Walk } from './recordPage.ts'

/** Pages of one record each, whose walk is counted by `count`; `total`: of the first page, from its cursor. */
async function walkPages(pages: number, count: () => Promise<number | null>, total: number | null = null) {
  const totals: (number | null)[] = []
  let walk: Walk = { page: 0, limit: 1, given: 0, total, counts: true }
  for (let page = 1; page <= pages; page++) {
    let next: NextPage<number> | undefined
    const body = await recordPage({
      walk,
      found: { records: createByteList(), count: 1, last: page < pages ? page : null },
      count,
      sign(following) {
        next = following
        return 'cursor'
      },
      status: 'SYNCED',
    })
    totals.push((JSON.parse(body.toString()) as { total: number | null }).total)
    if (next) walk = { ...walk, page, given: next.given, total: next.total }
  }
  return totals
}

test.each([
  ['a number', 3, [3, 3, 3]],
  ['too high', null, [null, null, 3]],
])('behavior: a walk is counted once, also if its total is %s', async (_, counted, totals) => {
  let counts = 0
  const count = async () => {
    counts++
    return counted
  }
  expect(await walkPages(3, count)).toEqual(totals)
  expect(counts).toBe(1)
})

test('behavior: a cursor without a total, as earlier versions signed it, is counted', async () => {
  expect(await walkPages(2, async () => 7, null)).toEqual([7, 2])
})
