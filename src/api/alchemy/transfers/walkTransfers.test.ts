import { expect, test } from 'vitest'
import type { TransferPlace } from '../../../nft/transferQuery.ts'
import type { TransferRecord } from '../../../nft/transferRecord.ts'
import { walkTransfers } from './walkTransfers.ts'

/** A history of so many transfers in a block each, of which those in these blocks are wanted. */
async function walk(count: number, wanted: readonly number[], after: TransferPlace | null = null) {
  let reads = 0
  const read = async (after: TransferPlace | null, limit: number) => {
    reads++
    const from = after === null ? 0 : Number(BigInt(after[0]) >> 20n) + 1
    const records = Array.from({ length: Math.min(limit, count - from) }, (_, i) => recordOf(from + i))
    const last = from + records.length < count ? placeOf(from + records.length - 1) : null
    return { records, last }
  }
  const isWanted = ({ block_number }: TransferRecord) => wanted.includes(Number(block_number))
  const { transfers, next } = await walkTransfers({ read, after, limit: 2, isWanted, isFiltered: true })
  return { blocks: transfers.map(([first]) => Number(first!.block_number)), next, reads }
}

const recordOf = (block: number) =>
  ({ block_number: String(block), log_index: 0, item: 0, contract_type: 'ERC721' }) as unknown as TransferRecord

const placeOf = (block: number): TransferPlace => [String(BigInt(block) << 20n), 0]

test('behavior: a page is only empty where no more follow, as the published client ends there', async () => {
  const first = await walk(60_000, [50_000])
  expect(first).toMatchObject({ blocks: [50_000], reads: 51 })
  expect(await walk(60_000, [50_000], first.next)).toMatchObject({ blocks: [], next: null })
})

test('behavior: a page with transfers looks at its most transfers, and the next one goes on', async () => {
  const first = await walk(60_000, [5, 50_000])
  expect(first).toMatchObject({ blocks: [5], reads: 20 })
  expect(await walk(60_000, [5, 50_000], first.next)).toMatchObject({ blocks: [50_000] })
})
