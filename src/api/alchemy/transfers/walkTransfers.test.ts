import { expect, test } from 'vitest'
import type { TransferPlace } from '../../../nft/transferQuery.ts'
import type { TransferRecord } from '../../../nft/transferRecord.ts'
import { mergeTransfers, walkTransfers } from './walkTransfers.ts'

/** Most transfers that a statement with a filter scans. */
const mostSeen = 10_000

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
    const seen = Math.min(isFiltered ? mostSeen : limit, count - from)
    const records = Array.from({ length: seen }, (_, i) => recordOf(from + i))
    const last = from + seen < count ? placeOf(from + seen - 1) : null
    return { records: isFiltered ? records.filter(isWanted) : records, last }
  }
  const isWanted = ({ block_number }: TransferRecord) => wanted.includes(Number(block_number))
  const { transfers, next } = await walkTransfers({ read, after, limit, isWanted, isFiltered })
  return { blocks: transfers.map(([first]) => Number(first!.block_number)), next, reads }
}

const recordOf = (block: number) =>
  ({ block_number: String(block), log_index: 0, item: 0, contract_type: 'ERC721' }) as unknown as TransferRecord

const placeOf = (block: number): TransferPlace => [String(BigInt(block) << 20n), 0]

test('behavior: only the last page may be empty, because the published client stops at an empty page', async () => {
  const first = await walk(70_000, [50_000])
  expect(first).toMatchObject({ blocks: [50_000], reads: 6 })
  expect(await walk(70_000, [50_000], first.next)).toMatchObject({ blocks: [], next: null })
})

test('behavior: without a filter, transfers of zero amounts make no page empty before the last one', async () => {
  expect(await walk(60_000, [50_000], null, { limit: 1, isFiltered: false })).toMatchObject({ blocks: [50_000] })
})

test('behavior: a page with transfers stops at its scan limit, and the next page continues', async () => {
  const first = await walk(60_000, [5, 50_000])
  expect(first).toMatchObject({ blocks: [5], reads: 4 })
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
    const requested = { read, limit, isWanted, isFiltered: false }
    const first = await walkTransfers({ ...requested, after: null })
    expect(first.transfers.map(({ length }) => length)).toEqual([1, size])
    expect(reads).toBeLessThan(30)
    const second = await walkTransfers({ ...requested, after: first.next })
    expect(second).toEqual({ transfers: [[recordOf(before + 2)]], next: null })
  },
)

test('behavior: with a filter, a page ends after a log that the next statement has no more transfers of', async () => {
  const log = Array.from({ length: 3 }, (_, item) => itemOf(7, item))
  const read = async (after: TransferPlace | null) =>
    after === null
      ? { records: log, last: placeIn(log[2]!) }
      : { records: [], last: placeOf(Number(BigInt(after[0]) >> 20n) + mostSeen) }
  const requested = { read, after: null, limit: 1, isWanted: () => true, isFiltered: true }
  expect(await walkTransfers(requested)).toEqual({ transfers: [log], next: placeOf(7 + mostSeen) })
})

test.each(['ASC', 'DESC'] as const)(
  'behavior: lists whose pages end early are merged in order without gaps, %s',
  async (order) => {
    const sorted = (blocks: number[]) => blocks.toSorted((a, b) => (order === 'ASC' ? a - b : b - a))
    // Each statement scans ten blocks of its list.
    const list = (blocks: number[]) => async (after: TransferPlace | null, limit: number) => {
      const begin = after === null ? (order === 'ASC' ? -1 : 100) : Number(BigInt(after[0]) >> 20n)
      const end = order === 'ASC' ? begin + 10 : begin - 10
      const seen = sorted(blocks).filter((block) =>
        order === 'ASC' ? block > begin && block <= end : block < begin && block >= end,
      )
      const shown = seen.slice(0, limit)
      const isCut = seen.length > limit
      const isMore = isCut || (order === 'ASC' ? end < 99 : end > 0)
      return { records: shown.map(recordOf), last: isMore ? placeOf(isCut ? shown.at(-1)! : end) : null }
    }
    const [first, second] = [
      [0, 3, 4, 31, 70, 99],
      [1, 5, 30, 32, 33, 71, 72, 73, 74],
    ]
    const merged = mergeTransfers([list(first), list(second)], order)
    const found: number[] = []
    for (let after: TransferPlace | null = null; ; ) {
      const page = await merged(after, 3)
      expect(page.records.length).toBeLessThanOrEqual(3)
      found.push(...page.records.map(({ block_number }) => Number(block_number)))
      after = page.last
      if (after === null) break
    }
    expect(found).toEqual(sorted([...first, ...second]))
  },
)

const itemOf = (block: number, item: number) =>
  ({ block_number: String(block), log_index: 0, item, contract_type: 'ERC1155' }) as unknown as TransferRecord

const placeIn = ({ block_number, item = 0 }: TransferRecord): TransferPlace => [
  String(BigInt(block_number) << 20n),
  item,
]
