import { expect, onTestFinished, test, vi } from 'vitest'
import { createHolderList } from './holderList.ts'

const holders = 1_000
const addressOf = (n: number) => `0x${n.toString(16).padStart(40, '0')}`

/** Holders by amount: the first has `holders` units, and the last by address. */
function rowsOf(): Buffer {
  const rows = Array.from({ length: holders }, (_, i) => {
    const row = Buffer.alloc(38)
    const place = holders - 1 - i
    row.write(addressOf(place).slice(2), 'hex')
    row.writeInt32BE(1, 20)
    row.writeInt32BE(place, 24)
    // PostgreSQL's numeric: one digit of base 10,000.
    row.writeInt16BE(1, 28)
    row.writeInt16BE(holders - i, 36)
    return row
  })
  return Buffer.concat(rows)
}

test('behavior: a page by address with a minimum reads only the amounts of its holders, as reading all would delay other requests', async () => {
  const list = await createHolderList(rowsOf(), String((holders * (holders + 1)) / 2))
  const reads = vi.spyOn(Buffer, 'allocUnsafe')
  onTestFinished(() => reads.mockRestore())
  const page = list.page({ order: 'address', after: null, limit: 2, minAmount: 998n })
  expect(page).toMatchObject({
    rows: [997, 998].map((n) => ({ owner: addressOf(n), amount: String(n + 1) })),
    ...{ last: { owner: addressOf(998), amount: '999' }, count: 3 },
  })
  expect(reads.mock.calls.length).toBeLessThan(50)
  const all = { order: 'address', after: page.last, limit: 2, minAmount: 998n } as const
  expect(list.page(all)).toMatchObject({ rows: [{ owner: addressOf(999) }], last: null })
  expect(list.page({ ...all, after: null, minAmount: 1_001n })).toMatchObject({ rows: [], last: null, count: 0 })
  expect(list.page({ ...all, after: null, minAmount: 0n, limit: holders }).rows).toHaveLength(holders)
})
