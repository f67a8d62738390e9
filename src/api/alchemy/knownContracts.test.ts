import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../test/api.ts'
import { insertKnown, readUnnamed, requestNames, setNames } from '../../nft/store/knownContracts.ts'
import { positionOf } from '../../nft/transfers/position.ts'
import { tokenHash } from '../../nft/transfers/tokenHash.ts'
import { zeroAddress } from '../../nft/transfers/transfer.ts'
import { storeMoves } from '../../nft/walletHistory/storeMoves.ts'
import type { OpenChains } from '../../sync/openChains.ts'
import { partitionOf } from '../../sync/partition.ts'
import { type Address, hexToBuffer } from '../../util/hex.ts'

const sepolia = 11_155_111n
const holder: Address = `0x${'77'.repeat(20)}`
const deployer: Address = `0x${'d0'.repeat(20)}`
const contract: Address = `0x${'ab'.repeat(20)}`
const everyPartition = Array.from({ length: 256 }, (_, i) => BigInt(i))

/** A chain that deployed the contract in block 7. */
const openChains = {
  open: async () => ({
    source: {
      head: async () => ({ head: { number: 100n }, finalized: 50n }),
      headers: async (from: bigint) => [{ number: from }],
      receipts: async () => [{ contractAddress: contract, transactionHash: '0x01' }],
      transactions: async () => [{ hash: '0x01', from: deployer }],
    },
    contracts: { deploymentBlock: async () => 7n },
  }),
} as unknown as OpenChains

let api: TestApi
beforeAll(async () => {
  api = await createTestApi({
    config: { chains: { sepolia: { wallets: 'chain' } }, pageCache: { freshMs: 0 } },
    openChains,
  })
  await api.db.run(
    `INSERT INTO chain (id, genesis_hash, block_number, block_hash, head_number, finalized_number) VALUES ($1, '\\x00', 1000, '\\x00', 1000, 1000)`,
    [sepolia],
  )
  const partition = partitionOf(sepolia, holder)
  const [row] = await api.db.rows<[bigint]>(
    `INSERT INTO wallet (partition, chain_id, address, requested_by, status, live_since) VALUES ($1, $2, $3, 0, 'live', now()) RETURNING id`,
    [partition, sepolia, hexToBuffer(holder)],
  )
  const move = {
    ...{ wallet: { partition, id: row![0] }, contract, hash: tokenHash(contract, '1') },
    transfer: {
      ...{ position: positionOf(10, 0), item: 0, tokenId: '1', from: zeroAddress, to: holder.slice(2), amount: '1' },
      ...{ operator: null, transactionHash: '01'.repeat(32), transactionIndex: 0 },
      ...{ blockHash: '11'.repeat(32), blockTime: 1_700_000_000 },
    },
  }
  await api.db.transaction((tx) => storeMoves(tx, { moves: [move], oversized: [] }, { chainId: sepolia, above: 0n }))
})
afterAll(() => api.drop())

const known = { address: contract, standard: 'ERC721' } as const

beforeEach(async () => {
  await api.db.run('DELETE FROM collection')
  await insertKnown(api.db, sepolia, [known], { discovered: false })
})

async function readName(): Promise<void> {
  await requestNames(api.db, sepolia, [known], { discovered: false })
  const [unnamed] = await readUnnamed(api.db, everyPartition, 1)
  await setNames(api.db, unnamed!, { name: 'Claim it', symbol: 'FREE', standard: null })
  await api.db.run('UPDATE collection SET possible_spam = true')
}

const base = `/alchemy/eth-sepolia/nft/v3/${encodeURIComponent(adminKey)}`

async function read(route: string, body?: object) {
  const init = body && { method: 'POST', body: JSON.stringify(body) }
  const response = await api.api.request(new Request(`http://localhost${base}${route}`, init))
  // biome-ignore lint/suspicious/noExplicitAny: fields of several shapes.
  const answer = (await response.json()) as any
  expect(response.status, JSON.stringify(answer)).toBe(200)
  return answer
}

const assets = async (): Promise<string[]> => {
  const params = [{ category: ['erc721'], toAddress: holder }]
  const { result } = await read('', { id: 1, method: 'alchemy_getAssetTransfers', params })
  return result.transfers.map(({ asset }: { asset: string }) => asset)
}

test('behavior: transfers have the symbol of a known contract, and request it if nobody did', async () => {
  expect(await assets()).toEqual([null])
  const [unnamed] = await readUnnamed(api.db, everyPartition, 1)
  expect(unnamed).toMatchObject({ address: contract })
  await setNames(api.db, unnamed!, { name: 'Known', symbol: 'KNOWN', standard: null })
  expect(await assets()).toEqual(['KNOWN'])
  expect(await readUnnamed(api.db, everyPartition, 1)).toEqual([])
})

test('behavior: a page of a wallet reads no deployment of a known contract', async () => {
  const unknown = { contractDeployer: null, deployedBlockNumber: null }
  expect((await read(`/getNFTsForOwner?owner=${holder}`)).ownedNfts).toMatchObject([{ contract: unknown }])
  expect((await read(`/getContractsForOwner?owner=${holder}`)).contracts).toMatchObject([unknown])
  expect(await api.db.rows('SELECT count(*) FROM contract_deployment')).toEqual([[0n]])
})

const names = { name: 'Claim it', symbol: 'FREE', tokenType: 'ERC721', isSpam: true }
const token = `contractAddress=${contract}&tokenId=1`

test.each([
  ['getNFTMetadata', async () => (await read(`/getNFTMetadata?${token}`)).contract],
  [
    'getNFTMetadataBatch',
    async () => {
      const tokens = [{ contractAddress: contract, tokenId: '1' }]
      return (await read('/getNFTMetadataBatch', { tokens })).nfts[0].contract
    },
  ],
  ['getContractMetadata', () => read(`/getContractMetadata?contractAddress=${contract}`)],
  [
    'getContractMetadataBatch',
    async () => (await read('/getContractMetadataBatch', { contractAddresses: [contract] })).contracts[0],
  ],
])('behavior: %s shows what is known of a contract whose indexing it starts', async (_, shown) => {
  await readName()
  const expected = { ...names, totalSupply: null }
  expect(await shown()).toMatchObject(expected)
  expect(await api.db.rows('SELECT status FROM collection')).toEqual([['queued']])
  // The next request reads the queued collection.
  expect(await shown()).toMatchObject(expected)
})
