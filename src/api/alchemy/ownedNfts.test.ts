import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../test/api.ts'
import { fillWallets } from '../../../test/fillWallets.ts'
import { seedCollection } from '../../../test/seedCollection.ts'
import { positionOf } from '../../nft/transfers/position.ts'
import { tokenHash } from '../../nft/transfers/tokenHash.ts'
import { partitionOf } from '../../sync/partition.ts'
import { type Address, hexToBuffer } from '../../util/hex.ts'
import { createCursors, readSecret } from '../pages/cursor.ts'
import { createPageKeys } from './pageKey.ts'
import { walletChoice } from './walletFilter.ts'

const wallet: Address = `0x${'77'.repeat(20)}`
const [tiles, items]: [Address, Address] = [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`]
const dead: Address = `0x${'0'.repeat(36)}dead`
const sepolia = 11_155_111n

let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ config: { chains: { sepolia: { wallets: 'chain' } } } })
  for (const address of [tiles, items]) await seedCollection(api.db, { address, tokens: [1n, 2n] })
  await api.db.run('UPDATE token SET owner = $1', [hexToBuffer(wallet)])
  await fillWallets(api.db)
  await api.db.run(
    `INSERT INTO chain (id, genesis_hash, block_number, block_hash, head_number, finalized_number) VALUES ($1, '\\x00', 1000, '\\x00', 1000, 1000)`,
    [sepolia],
  )
  const partition = partitionOf(sepolia, wallet)
  const [row] = await api.db.rows<[bigint]>(
    `INSERT INTO wallet (partition, chain_id, address, requested_by, status, live_since) VALUES ($1, $2, $3, 0, 'live', now()) RETURNING id`,
    [partition, sepolia, hexToBuffer(wallet)],
  )
  // The received tokens alternate between the two contracts.
  for (const [i, contract] of [tiles, items, tiles, items, items].entries())
    await api.db.run(
      `INSERT INTO wallet_holding (partition, wallet_id, contract, token_hash, token_id, erc1155, amount, last_position, first_position, received_position)
       VALUES ($1, $2, $3, $4::uuid, $5, false, 1, $6, $6, $6)`,
      [partition, row![0], hexToBuffer(contract), tokenHash(contract, String(i)), i, positionOf(10 + i, 0)],
    )
})
afterAll(() => api.drop())

type Page = {
  ownedNfts: { contractAddress: string; tokenId: string }[]
  totalCount: number | null
  pageKey: string | null
}

async function read(network: string, query: string) {
  const target = `/alchemy/${network}/nft/v3/${encodeURIComponent(adminKey)}/getNFTsForOwner?owner=${wallet}&withMetadata=false&${query}`
  const response = await api.api.request(new Request(`http://localhost${target}`))
  const scope = response.headers.get('x-index-scope')
  return { status: response.status, scope, body: (await response.json()) as Page }
}

test('behavior: getNFTsForOwner writes contract addresses as the request does, because the published client matches on them', async () => {
  const namesOf = async (contracts: readonly string[]) => {
    const { body } = await read('eth-mainnet', contracts.map((one) => `contractAddresses[]=${one}`).join('&'))
    return new Set(body.ownedNfts.map(({ contractAddress }) => contractAddress))
  }
  const written = [getAddress(tiles), items]
  expect(await namesOf(written)).toEqual(new Set(written))
  expect(await namesOf([tiles, getAddress(items)])).toEqual(new Set([tiles, getAddress(items)]))
  expect(await namesOf([])).toEqual(new Set([tiles, items]))
})

test.each(['transferTime', 'TRANSFERTIME'])(
  'behavior: orderBy=%s lists the most recently received tokens first',
  async (orderBy) => {
    const found: string[] = []
    let pageKey: string | null = ''
    do {
      const next: string = pageKey && `&pageKey=${pageKey}`
      const { status, scope, body } = await read('eth-sepolia', `orderBy=${orderBy}&pageSize=2${next}`)
      expect([status, scope]).toEqual([200, 'chain'])
      found.push(...body.ownedNfts.map(({ tokenId }) => tokenId))
      pageKey = body.pageKey
    } while (pageKey !== null)
    expect(found).toEqual(['4', '3', '2', '1', '0'])
    const [first] = [(await read('eth-sepolia', 'pageSize=2')).body]
    expect(await read('eth-sepolia', `orderBy=${orderBy}&pageKey=${first!.pageKey}`)).toMatchObject({ status: 400 })
  },
)

test('error: rejects orderBy=transferTime where only indexed collections are covered', async () => {
  expect(await read('eth-mainnet', 'orderBy=transferTime')).toEqual({
    ...{ status: 400, scope: null },
    body: { error: { message: 'orderBy is transferTime; allowed: only where x-index-scope is chain' } },
  })
})

test('error: a pageKey from before the scope of wallets was changed is rejected by the name of that parameter', async () => {
  const cursors = createCursors({ secret: await readSecret(api.db, 'cursor_secret') })
  const filters = { chain: String(sepolia), wallet, addresses: null, choice: walletChoice({}).name, order: 'contract' }
  const keys = createPageKeys({ cursors, operation: 'owned.1', filters })
  const pageKey = keys.sign({ collection: '1', hash: tokenHash(tiles, '1'), total: 2 })
  expect(await read('eth-sepolia', `pageKey=${pageKey}`)).toMatchObject({
    status: 400,
    body: {
      error: {
        message: 'pageKey is from before chains.NAME.wallets was changed; allowed: restarting without a pageKey',
      },
    },
  })
})

test('error: rejects burn addresses and the zero address as owner on a chain with whole-chain wallets', async () => {
  for (const owner of [dead, `0x${'0'.repeat(40)}`])
    for (const route of ['getNFTsForOwner', 'getContractsForOwner']) {
      const target = `/alchemy/eth-sepolia/nft/v3/${encodeURIComponent(adminKey)}/${route}?owner=${owner}`
      const response = await api.api.request(new Request(`http://localhost${target}`))
      expect([response.status, await response.json()]).toEqual([
        400,
        { error: { message: `owner is ${owner}, to which tokens are burned; allowed: the address of a wallet` } },
      ])
    }
  expect(await api.db.rows('SELECT count(*) FROM wallet')).toEqual([[1n]])
})

test('behavior: transfers to a burn address are read from the contract tables, also with whole-chain wallets', async () => {
  const burned: Address = `0x${'ef'.repeat(20)}`
  const key = await seedCollection(api.db, { chainId: sepolia, address: burned })
  await api.db.run(
    `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash, block_time)
     SELECT $1, $2, $3::int8 + i, 0, i, $4, CASE WHEN i = 2 THEN $5::bytea ELSE $4 END, 1, '\\x01', '\\x02', 1700000000 FROM generate_series(1, 3) i`,
    [key.partition, key.id, positionOf(50, 0), hexToBuffer(wallet), hexToBuffer(dead)],
  )
  const params = [{ category: ['erc721'], toAddress: dead, contractAddresses: [burned] }]
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'alchemy_getAssetTransfers', params })
  const target = `http://localhost/alchemy/eth-sepolia/nft/v3/${encodeURIComponent(adminKey)}`
  const response = await api.api.request(new Request(target, { method: 'POST', body }))
  expect(await response.json()).toMatchObject({ result: { transfers: [{ from: wallet, to: dead }], pageKey: null } })
})

test('behavior: isSpamContract returns the stored verdict on the first request for a contract that is not indexed', async () => {
  const address: Address = `0x${'5a'.repeat(20)}`
  await api.db.run(
    `INSERT INTO collection (partition, chain_id, address, status, standard, possible_spam, requested_by) VALUES ($1, $2, $3, 'known', 'ERC721', true, 0)`,
    [partitionOf(sepolia, address), sepolia, hexToBuffer(address)],
  )
  const target = `/alchemy/eth-sepolia/nft/v3/${encodeURIComponent(adminKey)}/isSpamContract?contractAddress=${address}`
  const response = await api.api.request(new Request(`http://localhost${target}`))
  expect(await response.json()).toEqual({ isSpamContract: true })
})

test('behavior: oversized metadata splits getNFTsForOwner pages under one totalCount, while getContractsForOwner keeps each display token', async () => {
  const { db } = api
  const large: Address[] = [`0x${'e1'.repeat(20)}`, `0x${'e2'.repeat(20)}`]
  for (const address of large)
    await seedCollection(db, { address, tokens: [1n], columns: { metadata_longest: 9_000_000 } })
  await db.run('UPDATE token SET owner = $1 WHERE amount > 0', [hexToBuffer(wallet)])
  await db.run(
    `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, tried_at, record)
     SELECT k.partition, k.collection_id, k.token_hash, 'ok', 0, now(), '"token_uri":null,"metadata":"\\"' || repeat('x', 9000000) || '\\"","last_token_uri_sync":null,"last_metadata_sync":null'
     FROM token k JOIN collection c ON c.partition = k.partition AND c.id = k.collection_id WHERE c.metadata_longest > 0`,
  )
  await fillWallets(db)
  const filter = `excludeFilters[]=AIRDROPS&${large.map((one) => `contractAddresses[]=${one}`).join('&')}`
  const pages = []
  for (let pageKey: string | null = ''; pageKey !== null; ) {
    const next: string = pageKey && `&pageKey=${pageKey}`
    const { body } = await read('eth-mainnet', `${filter}${next}`)
    pages.push([body.ownedNfts.length, body.totalCount])
    pageKey = body.pageKey
  }
  expect(pages).toEqual([
    [1, 2],
    [1, 2],
  ])
  const target = `/alchemy/eth-mainnet/nft/v3/${encodeURIComponent(adminKey)}/getContractsForOwner?owner=${wallet}`
  const response = await api.api.request(new Request(`http://localhost${target}`))
  const { contracts } = (await response.json()) as { contracts: { address: Address; displayNft: object }[] }
  expect(contracts.filter(({ address }) => large.includes(address)).map(({ displayNft }) => displayNft)).toEqual([
    { tokenId: '1', name: null },
    { tokenId: '1', name: null },
  ])
})

test('error: repeated tokens in a batch each count towards the metadata size limit of the response', async () => {
  const statusOf = async (times: number) => {
    const one = { contractAddress: `0x${'e1'.repeat(20)}`, tokenId: '1' }
    const body = JSON.stringify({ tokens: Array.from({ length: times }, () => one) })
    const target = `http://localhost/alchemy/eth-mainnet/nft/v3/${encodeURIComponent(adminKey)}/getNFTMetadataBatch`
    const headers = { 'content-type': 'application/json' }
    return (await api.api.request(new Request(target, { method: 'POST', headers, body }))).status
  }
  expect([await statusOf(1), await statusOf(2)]).toEqual([200, 400])
})
