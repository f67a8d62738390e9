import type { NftContract } from 'alchemy-sdk'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { describeContract } from '../contracts/describeContract.ts'
import { patience } from '../patience.ts'
import { readTransfers, type Transfer } from '../readTransfers.ts'
import { readHead, readTruth, type TrueRecord } from '../truth.ts'
import { collect } from './collections.ts'
import { byId, type StartedAlchemy, startAlchemy } from './startAlchemy.ts'

let t: StartedAlchemy
beforeAll(async () => {
  t = await startAlchemy()
})
afterAll(() => t?.stop())

const zero: Address = `0x${'0'.repeat(40)}`

/** The mint as recorded on chain. */
async function trueMint({ token_id }: TrueRecord, transfers: readonly Transfer[]) {
  const mint = transfers.find(
    ({ tokenId, from, amount }) => String(tokenId) === token_id && from === zero && amount > 0n,
  )!
  return {
    mintAddress: mint.to,
    blockNumber: Number(mint.block),
    timestamp: await t.timeOf(mint.block),
    transactionHash: mint.transactionHash,
  }
}

test.each(['tiles', 'plain', 'erc1155'] as const)(
  'default: getNftMetadata and getNftMetadataBatch return the tokens of %s as the chain has them',
  async (name) => {
    const address = { ...t.collections, plain: t.plain, erc1155: t.erc1155 }[name]
    const truth = (await readTruth(t.anvil.url, address)).slice(0, 40)
    const transfers = await readTransfers(t.anvil.url, address, await readHead(t.anvil.url))
    const { nfts } = await t.nft.getNftMetadataBatch(
      truth.map(({ token_id }) => ({ contractAddress: address, tokenId: token_id })),
    )
    for (const [i, record] of truth.entries()) {
      const found = nfts[i]!
      expect(found).toMatchObject({
        contract: { address, tokenType: record.contract_type },
        ...{ tokenId: record.token_id, tokenType: record.contract_type },
        mint: await trueMint(record, transfers),
      })
      if (name !== 'tiles') continue
      expect(found.raw.metadata).toMatchObject({ name: expect.any(String) })
      expect(found.name).toBe(found.raw.metadata.name)
      expect(found.tokenUri).toMatch(/^data:/)
      expect(found.timeLastUpdated).toMatch(/^\d{4}-/)
    }
    // Metadata and previews may arrive between two requests.
    const one = { contractAddress: address, tokenId: truth[0]!.token_id }
    await vi.waitFor(async () => {
      const { nfts: same } = await t.nft.getNftMetadataBatch([one])
      expect(await t.nft.getNftMetadata(address, one.tokenId)).toEqual(same[0])
    }, patience)
  },
)

test('default: a token that does not exist is returned with a reason', async () => {
  const found = await t.nft.getNftMetadata(t.plain, (2n ** 200n).toString())
  expect(found).toMatchObject({ contract: { address: t.plain }, raw: { error: 'the token does not exist' } })
})

test('default: a token whose metadata could not be read includes the reason', async () => {
  const { nfts } = await t.nft.getNftsForContract(t.collections.broken)
  expect(nfts.length).toBeGreaterThan(0)
  for (const { raw } of nfts)
    expect(raw).toMatchObject({ tokenUri: expect.stringMatching(/^data:/), metadata: {}, error: expect.any(String) })
  const [owned] = (await t.nft.getNftsForOwner(t.anvil.accounts[0]!, { contractAddresses: [t.collections.broken] }))
    .ownedNfts
  expect(owned!.raw.error).toBe(nfts[0]!.raw.error)
})

test('default: getContractMetadata and getContractMetadataBatch return the data of contracts', async () => {
  const tiles = await readTruth(t.anvil.url, t.collections.tiles)
  // A deployment that is not found within two seconds appears in a later response.
  const batch = async () => (await t.nft.getContractMetadataBatch(t.all)).contracts
  await expect.poll(async () => (await batch()).filter((one) => !one.contractDeployer), patience).toEqual([])
  const contracts = await batch()
  expect(contracts.map(({ address, tokenType }: NftContract) => [address, tokenType])).toEqual([
    [t.collections.tiles, 'ERC721'],
    [t.collections.items, 'ERC1155'],
    [t.collections.broken, 'ERC721'],
    [t.plain, 'ERC721'],
    [t.erc1155, 'ERC1155'],
  ])
  expect(contracts[3]).toMatchObject({ name: 'Plain', symbol: 'PLN' })
  // The first account deployed all of them, in sequence.
  for (const { address, contractDeployer, deployedBlockNumber } of contracts) {
    const codeAt = (block: number) => t.anvil.rpc('eth_getCode', [address, `0x${block.toString(16)}`])
    expect(contractDeployer).toBe(t.anvil.accounts[0])
    expect(await codeAt(deployedBlockNumber!)).not.toBe('0x')
    expect(await codeAt(deployedBlockNumber! - 1)).toBe('0x')
  }
  expect(contracts[0]!.totalSupply).toBe(String(tiles.length))
  expect(await t.nft.getContractMetadata(t.plain)).toEqual(contracts[3])
})

test('default: contractURI values fill the fields of the collection', async () => {
  const address = await t.anvil.deploy(plain721, ['Described', 'DSC', 'data:application/json,{}?'])
  const [to] = t.anvil.accounts
  await t.anvil.send({ to: address, abi: plain721.abi, functionName: 'mint', args: [to!, 1n] })
  const document = {
    name: 'A described one',
    description: 'Says ünicode',
    image: 'ipfs://bafy/image.png',
    banner_image: 'https://example.org/banner.png',
    external_link: 'javascript:alert(1)',
    external_url: 'https://example.org/',
  }
  const uri = `data:application/json,${encodeURIComponent(JSON.stringify(document))}`
  await describeContract(t.anvil, address, uri)
  await t.server.untilSynced(address)
  const fields = {
    ...{ collectionName: document.name, description: document.description, imageUrl: document.image },
    ...{ bannerImageUrl: document.banner_image, externalUrl: document.external_url },
  }
  await expect
    .poll(async () => (await t.nft.getContractMetadata(address)).openSeaMetadata, patience)
    .toMatchObject(fields)
  const { nfts } = await t.nft.getNftsForContract(address)
  expect(nfts[0]).toMatchObject({
    contract: { openSeaMetadata: fields },
    collection: { name: 'Described', externalUrl: document.external_url, bannerImageUrl: document.banner_image },
  })
  const own = async () => {
    const response = await t.server.get(`/api/v2/nft/${address}/metadata?chain=local&include=contract_uri`)
    return ((await response.json()) as { contract_uri: object | null }).contract_uri
  }
  const { name, description, image, banner_image, external_url: external_link } = document
  expect(await own()).toEqual({ name, description, image, banner_image, external_link })
  await describeContract(t.anvil, address, `data:application/json,${JSON.stringify({ name: 'Another name' })}`)
  await t.anvil.rpc('eth_sendTransaction', [{ from: to, to: address, data: '0x' }])
  await expect.poll(own, patience).toMatchObject({ name: 'Another name', description: null })
})

test('default: getNftsForContract and its iterator page through all tokens in order of their ids', async () => {
  for (const address of t.all) {
    const ids = (await readTruth(t.anvil.url, address)).map(({ token_id }) => token_id).toSorted(byId)
    const found: string[] = []
    let pageKey: string | undefined
    do {
      const page = await t.nft.getNftsForContract(address, { pageSize: 33, ...(pageKey && { pageKey }) })
      for (const { tokenId } of page.nfts) found.push(tokenId)
      pageKey = page.pageKey
    } while (pageKey)
    expect(found).toEqual(ids)
    const iterated = await collect(t.nft.getNftsForContractIterator(address, { omitMetadata: true }))
    expect(iterated).toEqual(ids.map((tokenId) => ({ contractAddress: address, tokenId })))
  }
})

test('default: getOwnersForContract returns the owners, with balances and at a block', async () => {
  const head = await readHead(t.anvil.url)
  for (const address of t.all)
    for (const block of [undefined, head - 12n, head - 3n]) {
      const truth = await t.trueHoldings(address, block)
      const byOwner = Map.groupBy(truth, ({ holder }) => holder)
      const owners = [...byOwner.keys()].toSorted()
      const at = block === undefined ? {} : { block: `0x${block.toString(16)}` }
      expect((await t.nft.getOwnersForContract(address, at as object)).owners, `${address} ${block}`).toEqual(owners)
      const found = await t.nft.getOwnersForContract(address, { withTokenBalances: true, ...at } as {
        withTokenBalances: true
      })
      expect(found.owners, `${address} ${block}`).toEqual(
        owners.map((ownerAddress) => ({
          ownerAddress,
          tokenBalances: byOwner
            .get(ownerAddress)!
            .toSorted((a, b) => byId(a.tokenId, b.tokenId))
            .map(({ tokenId, amount }) => ({ tokenId, balance: String(amount) })),
        })),
      )
    }
})

test('default: getOwnersForNft returns the owners of a token', async () => {
  for (const address of [t.plain, t.erc1155]) {
    const truth = Map.groupBy(await t.trueHoldings(address), ({ tokenId }) => tokenId)
    for (const [tokenId, holders] of [...truth].slice(0, 10)) {
      const { owners } = await t.nft.getOwnersForNft(address, tokenId)
      expect(owners).toEqual(holders.map(({ holder }) => holder).toSorted())
    }
  }
})

test('default: summarizeNftAttributes and computeRarity return the traits of a contract and a token', async () => {
  const { summary, totalSupply } = await t.nft.summarizeNftAttributes(t.collections.tiles)
  const truth = await readTruth(t.anvil.url, t.collections.tiles)
  expect(String(totalSupply)).toBe(String(truth.length))
  expect(Object.keys(summary).length).toBeGreaterThan(0)
  for (const counts of Object.values(summary))
    expect(Object.values(counts).reduce((sum: number, count) => sum + Number(count), 0)).toBe(truth.length)
  const { rarities } = await t.nft.computeRarity(t.collections.tiles, truth[0]!.token_id)
  for (const { traitType, value, prevalence } of rarities)
    expect(prevalence).toBeCloseTo(
      Number((summary as Record<string, Record<string, number>>)[traitType!]![value!]) / truth.length,
    )
  expect(rarities.length).toBeGreaterThan(0)
})
