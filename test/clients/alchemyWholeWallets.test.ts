// @module-tag system

import { Alchemy, GetTransfersForOwnerTransferType, Network, NftFilters, NftOrdering, type OwnedNft } from 'alchemy-sdk'
import { expect, test, vi } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { startTestServer, testApiKey } from '../mintmark.ts'
import { byName, type MoveRecord, readHoldings, readMoves } from '../nft/holdings.ts'
import { untilSynced } from '../nft/wholeTruth.ts'
import { patience } from '../patience.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { collect } from './collections.ts'

const zero = `0x${'0'.repeat(40)}`

test('behavior: the first request for a wallet indexes it on the whole chain, including contracts that are not indexed', async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  await using anvil = await startAnvil()
  const plain = await anvil.deploy(plain721, ['Plain', 'PLN', 'data:application/json,{"name":"P"}?'])
  const contracts = { erc721: [plain], erc1155: [await anvil.deploy(plain1155, ['Pieces', 'PCS'])] }
  const all = [...contracts.erc721, ...contracts.erc1155]
  await randomActivity(anvil, contracts, random, 40)
  const [owner, other] = anvil.accounts as [Address, Address]
  await anvil.send({ to: plain, abi: plain721.abi, functionName: 'mint', args: [owner, 424_242n] })
  await using server = await startTestServer({
    rpc: [anvil.url],
    config: { chains: { local: { wallets: 'chain' } } },
  })
  const url = `${server.url}/alchemy/local/nft/v3/${testApiKey}`
  const { nft } = new Alchemy({ apiKey: testApiKey, network: Network.ETH_MAINNET, maxRetries: 0, url })
  const first = await server.get(`/alchemy/local/nft/v3/${testApiKey}/getNFTsForOwner?owner=${owner}`)
  expect([first.status, await first.json()]).toEqual([200, expect.objectContaining({ pageKey: null })])
  for (const wallet of [owner, other]) await untilSynced(anvil, server, wallet)

  const timeOf = async (block: number) => {
    const { timestamp } = await anvil.rpc<{ timestamp: string }>('eth_getBlockByNumber', [
      `0x${block.toString(16)}`,
      false,
    ])
    return new Date(Number(timestamp) * 1_000).toISOString()
  }
  const truth = await readHoldings(anvil, contracts)
  for (const wallet of [owner, other]) {
    const held = (truth.get(wallet) ?? []).toSorted(byName)
    const moves = await readMoves(anvil, all, wallet)
    const owned: OwnedNft[] = []
    for (let pageKey: string | undefined, isFirst = true; isFirst || pageKey; isFirst = false) {
      const page = await nft.getNftsForOwner(wallet, { pageSize: 3, ...(pageKey && { pageKey }) })
      expect(page.totalCount).toBe(held.length)
      owned.push(...page.ownedNfts)
      pageKey = page.pageKey
    }
    const shown = owned.map(({ contract, tokenId, balance }) => ({
      address: contract.address,
      tokenId,
      amount: balance,
    }))
    expect(shown.toSorted(byName as never)).toEqual(held)
    for (const { contract, tokenId, acquiredAt, mint } of owned) {
      const own = moves.filter((move) => move.token_address === contract.address && move.token_id === tokenId)
      const got = own.findLast(
        (move) => move.to_address === wallet && move.from_address !== wallet && move.amount !== '0',
      )!
      expect(acquiredAt).toEqual({
        blockNumber: Number(got.block_number),
        blockTimestamp: await timeOf(Number(got.block_number)),
      })
      const minted = own.find((move) => move.from_address === zero && move.amount !== '0')
      expect(mint?.blockNumber ?? null).toBe(minted ? Number(minted.block_number) : null)
      expect(mint?.transactionHash ?? null).toEqual(minted ? expect.any(String) : null)
    }
    const latest = await collect(ownedLastFirst(wallet))
    const named = ({ contract, tokenId }: OwnedNft) => `${contract.address} ${tokenId}`
    expect(latest.map(named).toSorted()).toEqual(owned.map(named).toSorted())
    const byReceipt = await nft.getContractsForOwner(wallet, { orderBy: NftOrdering.TRANSFERTIME })
    expect(byReceipt.contracts.map(({ address }) => address)).toEqual([
      ...new Set(latest.map(({ contract }) => contract.address)),
    ])
    const times = latest.map(({ acquiredAt }) => acquiredAt!.blockNumber!)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    // The first account sent all mints.
    const isAirdrop = ({ mint }: OwnedNft) => mint?.mintAddress != null && mint.mintAddress !== owner
    const dropped = await nft.getNftsForOwner(wallet, { includeFilters: [NftFilters.AIRDROPS] })
    const others = await nft.getNftsForOwner(wallet, { excludeFilters: [NftFilters.AIRDROPS] })
    expect(dropped.ownedNfts.map(named)).toEqual(owned.filter(isAirdrop).map(named))
    expect(others.ownedNfts.map(named)).toEqual(owned.filter((one) => !isAirdrop(one)).map(named))
    expect([dropped.totalCount, others.totalCount]).toEqual([dropped.ownedNfts.length, others.ownedNfts.length])
    const withDropped = await nft.getContractsForOwner(wallet, { includeFilters: [NftFilters.AIRDROPS] } as object)
    expect(new Set(withDropped.contracts.map(({ address }) => address))).toEqual(
      new Set(dropped.ownedNfts.map(({ contract }) => contract.address)),
    )
    const { contracts: found } = await nft.getContractsForOwner(wallet)
    const sums = Map.groupBy(held, ({ address }) => address)
    expect(
      found.map(({ address, numDistinctTokensOwned, totalBalance }) => [address, numDistinctTokensOwned, totalBalance]),
    ).toEqual(
      [...sums]
        .toSorted()
        .toReversed()
        .map(([address, of]) => [
          ...[address, String(of.length), String(of.reduce((sum, { amount }) => sum + BigInt(amount), 0n))],
        ]),
    )
    for (const { displayNft, address } of found)
      expect(held.some((one) => one.address === address && one.tokenId === displayNft.tokenId)).toBe(true)
    for (const address of all) expect(await nft.verifyNftOwnership(wallet, address)).toBe(sums.has(address))
    const gave = await collect(transfersFrom(wallet))
    const textOf = ({ token_address, token_id, block_number }: MoveRecord) =>
      `${token_address} ${token_id} ${block_number}`
    const outgoing = moves.filter((move) => move.from_address === wallet && move.amount !== '0')
    expect(gave.toSorted()).toEqual(outgoing.map(textOf).toSorted())
  }
  const nameOf = ({ address }: { address: Address }) => (address === plain ? 'Plain' : 'Pieces')
  const namesOfHeld = new Set((truth.get(owner) ?? []).map(nameOf))
  const names = async () => (await nft.getNftsForOwner(owner)).ownedNfts.map(({ contract }) => contract.name)
  await vi.waitFor(async () => expect(new Set(await names())).toEqual(namesOfHeld), patience)
  const minted = (await nft.getNftsForOwner(owner, { contractAddresses: [plain] })).ownedNfts.find(
    (one) => one.tokenId === '424242',
  )
  expect(minted?.mint).toMatchObject({ mintAddress: owner, blockNumber: Number(await anvil.blockNumber()) })
  const spam = await nft.getNftsForOwner(owner, { includeFilters: [NftFilters.SPAM], omitMetadata: true })
  expect(spam).toMatchObject({ ownedNfts: [], totalCount: 0 })

  async function* ownedLastFirst(wallet: Address) {
    for (let pageKey: string | undefined, isFirst = true; isFirst || pageKey; isFirst = false) {
      const orderBy = NftOrdering.TRANSFERTIME
      const page = await nft.getNftsForOwner(wallet, { orderBy, pageSize: 3, ...(pageKey && { pageKey }) })
      yield* page.ownedNfts
      pageKey = page.pageKey
    }
  }

  async function* transfersFrom(wallet: Address) {
    for (let pageKey: string | undefined, isFirst = true; isFirst || pageKey; isFirst = false) {
      const page = await nft.getTransfersForOwner(wallet, GetTransfersForOwnerTransferType.FROM, {
        ...(pageKey && { pageKey }),
      })
      for (const { contract, tokenId, blockNumber } of page.nfts)
        yield `${contract.address} ${tokenId} ${Number(blockNumber)}`
      pageKey = page.pageKey
    }
  }
})
