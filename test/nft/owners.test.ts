import { expect, inject, test } from 'vitest'
import { tokenHash } from '../../src/nft/transfers/tokenHash.ts'
import type { Address } from '../../src/util/hex.ts'
import { type Anvil, startAnvil, toTransaction } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { type NftClient, type NftPage, type NftRecord, startTestServer } from '../mintmark.ts'
import { patience } from '../patience.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { readTransfers } from '../readTransfers.ts'
import { readBalances, readTruth, type TrueBalance } from '../truth.ts'

const repeats = inject('rounds') - 1

/** Reads all pages of owners at a path. No pair of token and owner may appear twice. */
async function walk(client: NftClient, path: string, limit: number): Promise<NftRecord[]> {
  const records: NftRecord[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `chain=local&limit=${limit}&cursor=${cursor}`
    const page = (await (await client.get(`/api/v2/nft/${path}/owners?${query}`)).json()) as NftPage
    records.push(...page.result)
    cursor = page.cursor
  }
  const order = records.map(
    ({ token_hash, owner_of }) => `${BigInt(`0x${token_hash}`) ^ (2n ** 128n - 1n)}`.padStart(40, '0') + owner_of,
  )
  expect(order).toEqual([...new Set(order)].sort())
  return records
}

const shown = (records: readonly NftRecord[]) => records.map((one) => `${one.token_id} ${one.owner_of} ${one.amount}`)

/** All holders of a token at a block, as the contract reports them. */
async function readOwners(anvil: Anvil, address: Address, block: bigint, standard: string): Promise<TrueBalance[]> {
  if (standard === 'ERC1155') return readBalances(anvil.url, address, block)
  const tokens = await readTruth(anvil.url, address, block)
  return tokens.map(({ token_id, owner_of }) => ({ tokenId: BigInt(token_id), holder: owner_of!, amount: 1n }))
}

async function readStats(client: NftClient, path: string) {
  const body = await (await client.get(`/api/v2/nft/${path}/stats?chain=local`)).json()
  const { total_tokens, owners, transfers } = body as { total_tokens: string; owners: object; transfers: object }
  return { total_tokens, ...owners, ...transfers }
}

/** Expects owners and statistics to match the chain, which must not change meanwhile. */
async function expectOwners(
  options: { anvil: Anvil; client: NftClient; limit: number },
  [address, standard]: readonly [Address, string],
): Promise<void> {
  const { anvil, client, limit } = options
  const block = await anvil.blockNumber()
  const held = await readOwners(anvil, address, block, standard)
  const transfers = await readTransfers(anvil.url, address, block)
  const list = (of: readonly TrueBalance[]) => of.map((one) => `${one.tokenId} ${one.holder} ${one.amount}`).sort()
  await client.untilSynced(address, block)
  await expect.poll(async () => shown(await walk(client, address, limit)).sort(), patience).toEqual(list(held))
  const holders = (of: readonly TrueBalance[]) => new Set(of.map(({ holder }) => holder)).size
  // The owners of a contract lag a moment behind.
  await expect
    .poll(() => readStats(client, address), patience)
    .toEqual({
      total_tokens: String(new Set(held.map(({ tokenId }) => tokenId)).size),
      ...{ current: String(holders(held)), total: String(transfers.length) },
    })
  const moved = transfers.toSorted((a, b) =>
    tokenHash(address, String(a.tokenId)) < tokenHash(address, String(b.tokenId)) ? -1 : 1,
  )
  for (const { tokenId } of [...moved.slice(0, 2), ...transfers.slice(-2)]) {
    const own = held.filter((one) => one.tokenId === tokenId)
    expect(shown(await walk(client, `${address}/${tokenId}`, limit)).sort()).toEqual(list(own))
    expect(await readStats(client, `${address}/${tokenId}`)).toEqual({
      total_tokens: String(own.reduce((sum, { amount }) => sum + amount, 0n)),
      ...{ current: String(own.length), total: String(transfers.filter((one) => one.tokenId === tokenId).length) },
    })
  }
}

test('behavior: owners and statistics match the chain across reorganisations, and paging works while the chain moves', {
  repeats,
}, async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  await using anvil = await startAnvil()
  const erc721 = await anvil.deploy(plain721, ['Owned', 'OWN', ''])
  const erc1155 = await anvil.deploy(plain1155, ['Owned', 'OWN'])
  const contracts = { erc721: [erc721], erc1155: [erc1155] }
  const both = [
    [erc721, 'ERC721'],
    [erc1155, 'ERC1155'],
  ] as const
  await randomActivity(anvil, contracts, random, 15)
  await anvil.mine(10)
  await using server = await startTestServer({ rpc: [anvil.url] })
  const expectBoth = async () => {
    for (const one of both) await expectOwners({ anvil, client: server, limit: 20 + random.int(60) }, one)
  }
  await expectBoth()
  const [holder] = anvil.accounts as [Address]
  for (const depth of [2, 9]) {
    let moving = true
    const activity = (async () => {
      while (moving) await randomActivity(anvil, contracts, random, 2)
    })()
    for (const [address] of both) await walk(server, address, 15)
    moving = false
    await activity
    const mint = (to: Address, args: bigint[]) =>
      toTransaction({
        to,
        abi: args.length === 1 ? plain721.abi : plain1155.abi,
        functionName: 'mint',
        args: [holder, ...args],
      } as never)
    await anvil.reorg(depth, [
      [mint(erc721, [random.uint256()]), 0],
      [mint(erc1155, [BigInt(random.int(40)), 5n]), depth - 1],
    ])
    await anvil.mine(1)
    await expectBoth()
  }
})
