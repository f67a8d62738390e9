import { expect } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import type { Anvil } from '../anvil.ts'
import type { NftClient, NftRecord } from '../mintmark.ts'
import { patienceMs } from '../patience.ts'
import { byName, heldOf, type MoveRecord, readHoldings, readMoves } from './holdings.ts'

const poll = { timeout: patienceMs, interval: 50 }

type Contracts = { erc721: readonly Address[]; erc1155: readonly Address[] }

export type Walked<T> = { records: T[]; headers: Headers; status: string }

/** All pages of a wallet's list. */
export async function walk<T>(
  server: Pick<NftClient, 'get'>,
  wallet: Address,
  list: string,
  query = '',
): Promise<Walked<T>> {
  const records: T[] = []
  for (let cursor: string | null = ''; ; ) {
    const more: string = cursor ? `&cursor=${cursor}` : ''
    const response = await server.get(`/api/v2/${wallet}/${list}?chain=local${query}${more}`)
    const text = await response.text()
    expect(response.status, text).toBe(200)
    const body = JSON.parse(text) as { result: T[]; cursor: string | null; status: string }
    records.push(...body.result)
    cursor = body.cursor
    if (cursor === null) return { records, headers: response.headers, status: body.status }
  }
}

export async function untilSynced(anvil: Anvil, server: Pick<NftClient, 'get'>, wallet: Address): Promise<void> {
  const head = await anvil.blockNumber()
  const reported = async () => {
    const response = await server.get(`/api/v2/${wallet}/nft?chain=local&limit=1`)
    const { status } = (await response.json()) as { status: string }
    return [status, response.headers.get('x-index-to-block'), response.headers.get('x-index-scope')]
  }
  await expect.poll(reported, poll).toEqual(['SYNCED', String(head), 'chain'])
}

/** Expects each wallet's responses to match the chain, which must not change meanwhile. */
export async function expectAnswers(
  anvil: Anvil,
  server: Pick<NftClient, 'get'>,
  contracts: Contracts,
  wallets: readonly Address[],
): Promise<void> {
  await Promise.all(wallets.map((wallet) => untilSynced(anvil, server, wallet)))
  const truth = await readHoldings(anvil, contracts)
  for (const wallet of wallets) {
    const held = (truth.get(wallet) ?? []).toSorted(byName)
    const moves = await readMoves(anvil, [...contracts.erc721, ...contracts.erc1155], wallet)
    for (const limit of [3, 100]) {
      // A replaced chain may be as high as before, so poll until the new one is stored.
      const shown = async () => heldOf((await walk<NftRecord>(server, wallet, 'nft', `&limit=${limit}`)).records)
      await expect.poll(shown, poll).toEqual(held)
      const { records } = await walk<NftRecord>(server, wallet, 'nft', `&limit=${limit}`)
      expect(records.every(({ owner_of }) => owner_of === wallet)).toBe(true)
      const moved = async () =>
        (await walk<MoveRecord>(server, wallet, 'nft/transfers', `&limit=${limit}&order=ASC`)).records
      await expect.poll(moved, poll).toMatchObject(moves)
    }
    const collections = await walk<{ token_address: Address; count: number }>(
      server,
      wallet,
      'nft/collections',
      '&limit=2&token_counts=true',
    )
    const counts = Map.groupBy(held, ({ address }) => address)
    expect(collections.records.map(({ token_address, count }) => [token_address, count])).toEqual(
      [...counts]
        .map(([address, of]) => [address, of.length])
        .toSorted()
        .toReversed(),
    )
  }
}
