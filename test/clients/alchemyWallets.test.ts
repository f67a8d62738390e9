import { Alchemy, GetTransfersForOwnerTransferType, type NftContract, NftFilters, type OwnedNft } from 'alchemy-sdk'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { patience } from '../patience.ts'
import { readTransfers, type Transfer } from '../readTransfers.ts'
import { readHead, readTruth } from '../truth.ts'
import { collect } from './collections.ts'
import { byId, type StartedAlchemy, startAlchemy } from './startAlchemy.ts'

let t: StartedAlchemy
beforeAll(async () => {
  t = await startAlchemy()
})
afterAll(() => t?.stop())

/** A token without metadata. */
type BaseNft = { contractAddress: string; tokenId: string }

const zero: Address = `0x${'0'.repeat(40)}`

test('default: getNftsForOwner returns all tokens by page and by iterator, with when each was acquired', async () => {
  const head = await readHead(t.anvil.url)
  const transfers = new Map<Address, Transfer[]>()
  for (const address of t.all) transfers.set(address, await readTransfers(t.anvil.url, address, head))
  const truth = (
    await Promise.all(t.all.map(async (address) => (await t.trueHoldings(address)).map((one) => ({ ...one, address }))))
  ).flat()
  for (const owner of t.anvil.accounts.slice(0, 4)) {
    const own = truth.filter(({ holder }) => holder === owner)
    const expected = own.map(({ address, tokenId, amount }) => `${address} ${tokenId} ${amount}`).toSorted()
    const textOf = ({ contract, tokenId, balance }: OwnedNft) => `${contract.address} ${tokenId} ${balance}`
    const found: OwnedNft[] = []
    let pageKey: string | undefined
    do {
      const page = await t.nft.getNftsForOwner(owner, { pageSize: 40, ...(pageKey && { pageKey }) })
      expect(page.totalCount).toBe(own.length)
      expect(page.validAt).toMatchObject({ blockNumber: Number(head), blockTimestamp: await t.timeOf(head) })
      found.push(...page.ownedNfts)
      pageKey = page.pageKey
    } while (pageKey)
    expect(found.map(textOf).toSorted()).toEqual(expected)
    const iterated = await collect(t.nft.getNftsForOwnerIterator(owner))
    expect(iterated.map((one) => textOf(one as OwnedNft)).toSorted()).toEqual(expected)
    for (const one of found) {
      const got = transfers
        .get(one.contract.address as Address)!
        .findLast(({ tokenId, to, from }) => String(tokenId) === one.tokenId && to === owner && from !== owner)!
      expect(one.acquiredAt).toEqual({ blockNumber: Number(got.block), blockTimestamp: await t.timeOf(got.block) })
    }
    const bare = await t.nft.getNftsForOwner(owner, { contractAddresses: [t.plain], omitMetadata: true })
    expect(bare.ownedNfts.map(({ contractAddress, tokenId }) => `${contractAddress} ${tokenId}`).toSorted()).toEqual(
      own
        .filter(({ address }) => address === t.plain)
        .map(({ tokenId }) => `${t.plain} ${tokenId}`)
        .toSorted(),
    )
  }
})

test('default: getContractsForOwner and verifyNftOwnership match the chain', async () => {
  const owner = t.anvil.accounts[0]!
  const { contracts, totalCount } = await t.nft.getContractsForOwner(owner)
  const expected = []
  for (const address of t.all) {
    const own = (await t.trueHoldings(address)).filter(({ holder }) => holder === owner)
    const total = own.reduce((sum, { amount }) => sum + amount, 0n)
    if (own.length > 0) expected.push([address, String(own.length), String(total)])
    expect(await t.nft.verifyNftOwnership(owner, address)).toBe(own.length > 0)
  }
  expect(totalCount).toBe(expected.length)
  expect(
    contracts
      .map(({ address, numDistinctTokensOwned, totalBalance }) => [address, numDistinctTokensOwned, totalBalance])
      .toSorted(),
  ).toEqual(expected.toSorted())
  // No other test of this file requests these contracts, so the pages of wallets read their deployers.
  const deployers = async () => (await t.nft.getContractsForOwner(owner)).contracts.map((one) => one.contractDeployer)
  await expect.poll(deployers, patience).toEqual(expected.map(() => t.anvil.accounts[0]))
  const tiles = contracts.find(({ address }) => address === t.collections.tiles)!
  expect(tiles.displayNft.name).toEqual(expect.any(String))
  const owned = await t.nft.verifyNftOwnership(owner, [t.collections.tiles, t.plain])
  expect(owned[t.collections.tiles]).toBe(true)
})

/** The client's view of transfers, without the tokens' own fields. */
const moved = ({
  nfts,
}: {
  nfts: {
    tokenId: string
    from: string
    to?: string | undefined
    transactionHash: string
    blockNumber: string
    contract: { address: string }
  }[]
}) =>
  nfts.map(
    (one) =>
      `${one.contract.address} ${one.tokenId} ${one.from} ${one.to} ${one.transactionHash} ${Number(one.blockNumber)}`,
  )

const textOf = (address: Address, { tokenId, from, to, transactionHash, block }: Transfer) =>
  `${address} ${tokenId} ${from} ${to} ${transactionHash} ${block}`

test('default: transfers of a contract, transfers of an owner, and mints match the chain', async () => {
  const head = await readHead(t.anvil.url)
  const moves: { address: Address; transfer: Transfer }[] = []
  for (const address of t.all)
    for (const transfer of await readTransfers(t.anvil.url, address, head))
      if (transfer.amount > 0n) moves.push({ address, transfer })
  const walk = async (read: (pageKey?: string) => Promise<Parameters<typeof moved>[0] & { pageKey?: string }>) => {
    const found: string[] = []
    let pageKey: string | undefined
    do {
      const page = await read(pageKey)
      found.push(...moved(page))
      pageKey = page.pageKey ?? undefined
    } while (pageKey)
    return found
  }
  for (const address of [t.plain, t.erc1155])
    expect(await walk((pageKey) => t.nft.getTransfersForContract(address, { ...(pageKey && { pageKey }) }))).toEqual(
      moves.filter((one) => one.address === address).map(({ transfer }) => textOf(address, transfer)),
    )
  const owner = t.anvil.accounts[1]!
  const { TO, FROM } = GetTransfersForOwnerTransferType
  for (const type of [TO, FROM]) {
    const own = moves.filter(({ transfer }) => transfer[type === TO ? 'to' : 'from'] === owner)
    const found = await walk((pageKey) => t.nft.getTransfersForOwner(owner, type, { ...(pageKey && { pageKey }) }))
    expect(found.toSorted()).toEqual(own.map(({ address, transfer }) => textOf(address, transfer)).toSorted())
  }
  const minted = moves.filter(({ transfer }) => transfer.from === zero && transfer.to === owner)
  const found = await walk((pageKey) => t.nft.getMintedNfts(owner, { ...(pageKey && { pageKey }) }))
  expect(found.toSorted()).toEqual(minted.map(({ address, transfer }) => textOf(address, transfer)).toSorted())
})

test('default: spam methods, airdrop methods and spam filters return correct results', async () => {
  expect(await t.nft.isSpamContract(t.plain)).toEqual({ isSpamContract: false })
  expect(await t.nft.getSpamContracts()).toEqual({ contractAddresses: [] })
  await t.nft.reportSpam(t.plain)
  // The first account sent all mints.
  const [sender] = t.anvil.accounts
  for (const { holder, tokenId } of (await t.trueHoldings(t.collections.tiles)).slice(0, 6))
    expect(await t.nft.isAirdropNft(t.collections.tiles, tokenId)).toEqual({ isAirdrop: holder !== sender })
  await comparedAirdrops()
  const filtered = await t.nft.getNftsForOwner(sender!, { excludeFilters: [NftFilters.SPAM], omitMetadata: true })
  expect(filtered.totalCount).toBeGreaterThan(0)
  const spam = await t.nft.getNftsForOwner(sender!, { includeFilters: [NftFilters.SPAM], omitMetadata: true })
  expect(spam).toMatchObject({ ownedNfts: [], totalCount: 0 })
})

/** Compares lists with an airdrop filter to the senders of the mints on chain. */
async function comparedAirdrops(): Promise<void> {
  const head = await readHead(t.anvil.url)
  const airdropped = new Set<string>()
  for (const address of t.all) {
    const mints = (await readTransfers(t.anvil.url, address, head)).filter(
      ({ from, amount }) => from === zero && amount > 0n,
    )
    for (const [tokenId, [{ to, transactionHash }]] of Map.groupBy(mints, (mint) => mint.tokenId) as Map<
      bigint,
      [Transfer]
    >) {
      const { from } = await t.anvil.rpc<{ from: Address }>('eth_getTransactionByHash', [transactionHash])
      if (from !== to) airdropped.add(`${address} ${tokenId}`)
    }
  }
  const { AIRDROPS } = NftFilters
  for (const owner of t.anvil.accounts.slice(0, 2)) {
    const all = await collect(t.nft.getNftsForOwnerIterator(owner, { omitMetadata: true, pageSize: 7 } as object))
    const nameOf = (one: BaseNft) => `${one.contractAddress} ${one.tokenId}`
    const names = (all as unknown as BaseNft[]).map(nameOf)
    for (const [filter, isWanted] of [
      [{ excludeFilters: [AIRDROPS] }, (name: string) => !airdropped.has(name)],
      [{ includeFilters: [AIRDROPS] }, (name: string) => airdropped.has(name)],
      [{ includeFilters: [AIRDROPS, NftFilters.SPAM] }, (name: string) => airdropped.has(name)],
    ] as const) {
      const options = { ...filter, omitMetadata: true, pageSize: 7 } as object
      const found = await collect(t.nft.getNftsForOwnerIterator(owner, options))
      const wanted = names.filter(isWanted)
      expect((found as unknown as BaseNft[]).map(nameOf)).toEqual(wanted)
      const { contracts } = await t.nft.getContractsForOwner(owner, filter as object)
      const holds = new Set(wanted.map((name) => name.split(' ')[0]))
      expect(contracts.map(({ address }) => address).toSorted()).toEqual([...holds].toSorted())
    }
  }
}

test('default: search and refresh work, and marketplace methods report that there is no marketplace', async () => {
  const { contracts } = (await t.nft.searchContractMetadata('plai')) as unknown as { contracts: NftContract[] }
  expect(contracts.map(({ address }) => address)).toContain(t.plain)
  expect(await t.nft.refreshNftMetadata(t.collections.tiles, 0)).toEqual(expect.any(Boolean))
  expect(await t.nft.refreshContract(t.collections.items)).toMatchObject({
    contractAddress: t.collections.items,
    refreshState: 'queued',
  })
  expect(await t.nft.getFloorPrice(t.plain)).toMatchObject({
    openSea: { error: expect.stringContaining('no marketplace') },
  })
  expect(await t.nft.getNftSales({ contractAddress: t.plain } as object)).toMatchObject({ nftSales: [] })
  await expect(t.nft.getCollectionMetadata('plain')).rejects.toThrow(/404.*no marketplace/)
})

test('error: the client reports a wrong key and wrong parameters as errors with the message', async () => {
  const wrong = new Alchemy({ apiKey: 'x', maxRetries: 0, url: `${t.server.url}/alchemy/local/nft/v3/wrong` })
  await expect(wrong.nft.getContractMetadata(t.plain)).rejects.toThrow(/401.*the API key is unknown/)
  await expect(t.nft.getNftsForOwner('vitalik.eth')).rejects.toThrow(/400.*does not resolve ENS names/)
  await expect(t.nft.getNftsForContract(t.plain, { pageKey: 'x' })).rejects.toThrow(/400.*pageKey is invalid/)
})

test('behavior: after a reorganisation the responses match the new chain', async () => {
  await t.anvil.send({ to: t.plain, abi: plain721.abi, functionName: 'mint', args: [t.anvil.accounts[5]!, 777_777n] })
  await vi.waitFor(
    async () => expect((await t.nft.getOwnersForNft(t.plain, 777_777)).owners).toEqual([t.anvil.accounts[5]]),
    patience,
  )
  await t.anvil.reorg(2)
  await t.anvil.mine(3)
  await vi.waitFor(async () => {
    const ids = (await readTruth(t.anvil.url, t.plain)).map(({ token_id }) => token_id).toSorted(byId)
    const iterated = await collect(t.nft.getNftsForContractIterator(t.plain, { omitMetadata: true }))
    expect(iterated.map(({ tokenId }) => tokenId)).toEqual(ids)
    expect((await t.nft.getOwnersForContract(t.plain)).owners).toEqual(
      [...new Set((await t.trueHoldings(t.plain)).map(({ holder }) => holder))].toSorted(),
    )
  }, patience)
})
