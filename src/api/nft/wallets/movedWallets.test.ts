import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { seedLease, seedWorker } from '../../../../test/seedLease.ts'
import { raiseVersions } from '../../../nft/store/collectionStore.ts'
import { revertTransfers } from '../../../nft/store/revertTransfers.ts'
import { storeTransfers } from '../../../nft/store/storeTransfers.ts'
import { positionOf } from '../../../nft/transfers/position.ts'
import { zeroAddress } from '../../../nft/transfers/transfer.ts'
import { type CollectionKey, transferGroup } from '../../../nft/transfers/transferGroup.ts'
import { updateWallets } from '../../../nft/wallets/updateWallets.ts'
import { nextUpdates } from '../../../nft/wallets/walletUpdates.ts'

const address = `0x${'5c'.repeat(20)}` as const
const wallet = '77'.repeat(20)
const ofWallet = `/api/v2/0x${wallet}/nft`
const places = [
  ['tokens', ofWallet],
  ['tokens of a contract', `${ofWallet}?token_addresses=${address}`],
  ['collections', `${ofWallet}/collections`],
  ['transfers', `${ofWallet}/transfers`],
  ['transfers of a contract', `${ofWallet}/transfers?contract_addresses=${address}`],
  ['transfers of a chain', '/api/v2/nft/transfers'],
] as const

let api: TestApi
let worker: number
let collection: CollectionKey
let head: number
let forks = 0

beforeEach(async () => {
  head = 1_000
  // The server may use cached data of a chain or a collection for the longest allowed time.
  api = await createTestApi({ config: { pageCache: { freshMs: 60_000 } } })
  worker = await seedWorker(api.db)
  const key = await seedCollection(api.db, { address })
  await seedLease(api.db, 'partition', key.partition, worker)
  collection = { ...key, chainId: 1n, address, standard: 'ERC721', idInData: false }
})
afterEach(() => api.drop())

async function updateAllWallets(): Promise<void> {
  const partitions = [BigInt(collection.partition)]
  const updates = await nextUpdates(api.db, { atHead: true, partitions, except: [], most: 1e9 })
  await updateWallets(api.db, updates, worker)
}

const setHead = `UPDATE chain SET block_number = $1, head_number = $1, block_hash = decode($2, 'hex') WHERE id = 1`

/** Applies the next block, in which the wallet receives the token with its number. */
async function applyNext(): Promise<void> {
  head++
  const hash = `${forks}${head}`.padStart(64, '0')
  const transfer = {
    ...{ position: positionOf(head, 0), item: 0, tokenId: String(head), from: zeroAddress, to: wallet, amount: '1' },
    ...{ operator: null, transactionHash: hash, transactionIndex: 0, blockHash: hash, blockTime: 1_700_000_000 },
  }
  await api.db.transaction(async (tx) => {
    const undo = { chainId: 1n, number: BigInt(head) }
    await raiseVersions(tx, await storeTransfers(tx, [transferGroup(collection, [transfer])], undo))
    await tx.run(`INSERT INTO block VALUES (1, $1, decode($2, 'hex'), '\\x00', 0)`, [head, hash])
    await tx.run(setHead, [head, hash])
  })
}

/** Undoes the latest blocks. */
async function undo(blocks: number): Promise<void> {
  head -= blocks
  forks++
  await api.db.transaction(async (tx) => {
    await raiseVersions(tx, await revertTransfers(tx, 1n, BigInt(head)))
    await tx.run('DELETE FROM block WHERE number > $1', [head])
    const [row] = await tx.rows<[string]>(`SELECT encode(hash, 'hex') FROM block WHERE number = $1`, [head])
    await tx.run(setHead, [head, row?.[0] ?? '00'])
  })
}

async function reported(path: string) {
  const response = await api.get(path)
  const { status } = (await response.json()) as { status: string }
  return [status, response.headers.get('x-index-to-block')]
}

test.each(places)('behavior: %s never report an undone block as indexed after a reorganisation', async (_, path) => {
  await applyNext()
  await applyNext()
  await updateAllWallets()
  // The page size differs each time, because the server caches pages.
  const sized = (limit: number) => `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`
  expect(await reported(sized(10))).toEqual(['SYNCED', String(head)])
  await applyNext()
  await updateAllWallets()
  // A block followed meanwhile causes no further read.
  expect(await reported(sized(11))).toEqual(['SYNCED', String(head - 1)])
  await undo(2)
  await updateAllWallets()
  expect(await reported(sized(12))).toEqual(['SYNCED', String(head)])
  await undo(1)
  await applyNext()
  await applyNext()
  // The wallets do not have the replacement of the block yet.
  expect(await reported(sized(13))).toEqual(['SYNCING', String(head - 3)])
  await updateAllWallets()
})
