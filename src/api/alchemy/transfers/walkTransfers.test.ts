import { expect, test } from 'vitest'
import type { TransferPlace } from '../../../nft/transferQuery.ts'
import type { TransferRecord } from '../../../nft/transferRecord.ts'
import { walkTransfers } from './walkTransfers.ts'

/** A history of `count` transfers, one per block; those in the blocks `wanted` match. */
async function walk(
  count: number,
  wanted: readonly number[],
  after: TransferPlace | null = null,
  { limit = 2, isFiltered = true } = {},
) {
  let reads = 0
  const read = async (after: TransferPlace | null, limit: number) => {
    reads++
    const from = after === null ? 0 : Number(BigInt(after[0]) >> 20n) + 1
    const records = Array.from({ length: Math.min(limit, count - from) }, (_, i) => recordOf(from + i))
    const last = from + records.length < count ? placeOf(from + records.length - 1) : null
    return { records, last }
  }
  const isWanted = ({ block_number }: TransferRecord) => wanted.includes(Number(block_number))
  const { transfers, next } = await walkTransfers({ read, after, limit, isWanted, isFiltered })
  return { blocks: transfers.map(([first]) => Number(first!.block_number)), next, reads }
}

const recordOf = (block: number) =>
  ({ block_number: String(block), log_index: 0, item: 0, contract_type: 'ERC721' }) as unknown as TransferRecord

const placeOf = (block: number): TransferPlace => [String(BigInt(block) << 20n), 0]

test('behavior: only the last page may be empty, because the published client stops at an empty page', async () => {
  const first = await walk(60_000, [50_000])
  expect(first).toMatchObject({ blocks: [50_000], reads: 51 })
  expect(await walk(60_000, [50_000], first.next)).toMatchObject({ blocks: [], next: null })
})

test('behavior: without a filter, transfers of zero amounts make no page empty before the last one', async () => {
  expect(await walk(60_000, [50_000], null, { limit: 1, isFiltered: false })).toMatchObject({ blocks: [50_000] })
})

test('behavior: a page with transfers stops at its scan limit, and the next page continues', async () => {
  const first = await walk(60_000, [5, 50_000])
  expect(first).toMatchObject({ blocks: [5], reads: 20 })
  expect(await walk(60_000, [5, 50_000], first.next)).toMatchObject({ blocks: [50_000] })
})

test.each([
  ['the page is full', 2, 0],
  ['most statements of an answer were sent', 1_000, 19_900],
])(
  'behavior: an ERC-1155 batch log is never split across pages, even where %s before its end',
  async (_, limit, before) => {
    const size = 2_500
    const records = [
      ...Array.from({ length: before }, (_, block) => recordOf(block)),
      recordOf(before),
      ...Array.from({ length: size }, (_, item) => itemOf(before + 1, item)),
      recordOf(before + 2),
    ]
    let reads = 0
    const read = async (after: TransferPlace | null, most: number) => {
      reads++
      const from = after === null ? 0 : records.findIndex((one) => String(placeIn(one)) === String(after)) + 1
      const found = records.slice(from, from + most)
      return { records: found, last: from + most < records.length ? placeIn(found.at(-1)!) : null }
    }
    const isWanted = ({ block_number }: TransferRecord) => Number(block_number) >= before
    const requested = { read, limit, isWanted, isFiltered: before > 0 }
    const first = await walkTransfers({ ...requested, after: null })
    expect(first.transfers.map(({ length }) => length)).toEqual([1, size])
    expect(reads).toBeLessThan(30)
    const second = await walkTransfers({ ...requested, after: first.next })
    expect(second).toEqual({ transfers: [[recordOf(before + 2)]], next: null })
  },
)

const itemOf = (block: number, item: number) =>
  ({ block_number: String(block), log_index: 0, item, contract_type: 'ERC1155' }) as unknown as TransferRecord

const placeIn = ({ block_number, item = 0 }: TransferRecord): TransferPlace => [
  String(BigInt(block_number) << 20n),
  item,
]
