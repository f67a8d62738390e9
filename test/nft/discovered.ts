import { expect } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import type { Anvil } from '../anvil.ts'
import type { NftClient } from '../mintmark.ts'
import { readTransfers } from '../readTransfers.ts'

const zero = `0x${'0'.repeat(40)}`

export type Discovered = {
  address: Address
  name: string | null
  standard: string
  status: string
  possibleSpam: boolean
  discovery: { firstBlock: string; firstSeenAt: string; transfers: string; mints: string }
}

/** Lists the contracts discovered in new blocks, in the given order. */
export async function listDiscovered(
  server: Pick<NftClient, 'get'>,
  order: string,
  limit = 100,
): Promise<Discovered[]> {
  const listed: Discovered[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more: string = cursor ? `cursor=${cursor}` : `chain=local&order=${order}&limit=${limit}`
    const response = await server.get(`/api/v2/collections?${more}`)
    const text = await response.text()
    expect(response.status, text).toBe(200)
    const body = JSON.parse(text) as { result: Discovered[]; cursor: string | null }
    listed.push(...body.result)
    cursor = body.cursor
  }
  return listed
}

/** The contracts' activity in the chain's logs from a block on, ordered by most transfers. */
export async function readDiscovered(anvil: Anvil, contracts: readonly Address[], from: bigint) {
  const head = await anvil.blockNumber()
  const counts = await Promise.all(
    contracts.map(async (address) => {
      const moved = (await readTransfers(anvil.url, address, head)).filter(({ block }) => block >= from)
      const mints = moved.filter((transfer) => transfer.from === zero).length
      return { address, first: moved[0]?.block ?? -1n, transfers: moved.length, mints }
    }),
  )
  return counts
    .filter(({ transfers }) => transfers > 0)
    .map(({ address, first, transfers, mints }) => [address, String(first), String(transfers), String(mints)])
    .toSorted((a, b) => Number(b[2]) - Number(a[2]) || Number(b[1]) - Number(a[1]) || (a[0]! > b[0]! ? -1 : 1))
}

/** A list in the form of `readDiscovered`. */
export const countsOf = (listed: readonly Discovered[]) =>
  listed.map(({ address, discovery: { firstBlock, transfers, mints } }) => [address, firstBlock, transfers, mints])
