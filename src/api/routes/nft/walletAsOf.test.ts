import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { positionOf } from '../../../nft/transfers/position.ts'
import { tokenHash } from '../../../nft/transfers/tokenHash.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ config: { chains: { sepolia: { wallets: 'chain' } } } })
})
afterAll(() => api.drop())

test.each(['nft', 'nft/collections'])(
  'error: rejects %s at a block that is not covered, and reports the coverage of the wallet',
  async (list) => {
    const response = await api.get(`/api/v2/0x${'77'.repeat(20)}/${list}?chain=sepolia&as_of_block=5`)
    const names = ['x-index-status', 'x-index-progress']
    expect([response.status, ...names.map((name) => response.headers.get(name))]).toEqual([400, 'queued', '0'])
    expect(await response.json()).toMatchObject({
      message:
        'as_of_block is 5, a block whose state is not known; allowed: none yet, as the history of the wallet is being read',
    })
  },
)

test.each([
  ['as_of_block=5', 'as_of_block is "5"; allowed: omitting it, as a block number belongs to one chain'],
  ['order=acquired', 'order is acquired; allowed: only where x-index-scope is chain, which it is not on eth'],
  ['include=spam,acquired', 'include is acquired; allowed: only where x-index-scope is chain, which it is not on eth'],
  ['order=newest', 'order is "newest"; allowed: acquired'],
])('error: rejects %s over several chains', async (query, message) => {
  const response = await api.get(`/api/v2/wallets/0x${'77'.repeat(20)}/nft?chains=sepolia,eth&${query}`)
  expect(response.status).toBe(400)
  expect(((await response.json()) as { message: string }).message).toContain(message)
})

const sepolia = 11_155_111n
const wallet: Address = `0x${'78'.repeat(20)}`
const contract: Address = `0x${'5a'.repeat(20)}`

async function seedWallet(): Promise<void> {
  const partition = partitionOf(sepolia, wallet)
  await api.db.run(
    `INSERT INTO chain (id, genesis_hash, block_number, block_hash, head_number, finalized_number) VALUES ($1, '\\x00', 9, '\\x09', 9, 1)`,
    [sepolia],
  )
  await api.db.run(
    `INSERT INTO block (chain_id, number, hash, parent_hash, timestamp) VALUES ($1, 5, '\\x01', '\\x00', 1)`,
    [sepolia],
  )
  const [row] = await api.db.rows<[bigint]>(
    `INSERT INTO wallet (partition, chain_id, address, requested_by, status, live_since) VALUES ($1, $2, $3, 0, 'live', now()) RETURNING id`,
    [partition, sepolia, hexToBuffer(wallet)],
  )
  for (const id of [1, 2, 3])
    await api.db.run(
      `INSERT INTO wallet_move (partition, wallet_id, position, item, contract, token_hash, token_id, from_address, to_address, amount, transaction_hash, block_hash)
       VALUES ($1, $2, $3, 0, $4, $5::uuid, $6, $7, $8, 1, '\\x00', '\\x00')`,
      [
        ...[partition, row![0], positionOf(2, id), hexToBuffer(contract), tokenHash(contract, String(id)), id],
        ...[Buffer.alloc(20), hexToBuffer(wallet)],
      ],
    )
}

test('behavior: paging that is restarted after a reorganisation continues, although its first page is the same', async () => {
  await seedWallet()
  const target = `/api/v2/${wallet}/nft?chain=sepolia&as_of_block=5&limit=1`
  const read = async (cursor = '') => {
    const response = await api.get(`${target}&cursor=${cursor}`)
    const { result, cursor: next } = (await response.json()) as { result?: { token_id: string }[]; cursor?: string }
    return {
      status: response.status,
      ids: result?.map(({ token_id }) => token_id),
      next,
      etag: response.headers.get('etag'),
    }
  }
  // A contract becomes known after the first page that returns it.
  await read()
  const first = await read()
  expect(first).toMatchObject({ status: 200, next: expect.any(String) })
  await api.db.run(`UPDATE block SET hash = '\\x02' WHERE chain_id = $1`, [sepolia])
  expect((await read(first.next)).status).toBe(409)
  const again = await read()
  expect(again).toMatchObject({ status: 200, ids: first.ids })
  expect(again.etag).not.toBe(first.etag)
  expect((await read(again.next)).status).toBe(200)
})

test.each(['nft', 'nft/collections'])(
  'behavior: %s report the block of their page, and a wallet that was removed meanwhile is requested again',
  async (list) => {
    const address: Address = `0x${(list === 'nft' ? '79' : '7a').repeat(20)}`
    const partition = partitionOf(sepolia, address)
    await api.db.run(
      `INSERT INTO wallet (partition, chain_id, address, requested_by, status, live_since) VALUES ($1, $2, $3, 0, 'live', now())`,
      [partition, sepolia, hexToBuffer(address)],
    )
    const read = async () => {
      const { headers } = await api.get(`/api/v2/${address}/${list}?chain=sepolia`)
      return ['x-index-status', 'x-index-to-block'].map((name) => headers.get(name))
    }
    await api.db.run(`UPDATE chain SET block_number = 11, block_hash = '\\x0b', head_number = 12 WHERE id = $1`, [
      sepolia,
    ])
    expect(await read()).toEqual(['syncing', '11'])
    await api.db.run(`UPDATE chain SET block_number = 12, block_hash = '\\x0c' WHERE id = $1`, [sepolia])
    expect(await read()).toEqual(['synced', '12'])
    await api.db.run(`UPDATE wallet SET status = 'removed' WHERE address = $1`, [hexToBuffer(address)])
    expect(await read()).toEqual(['queued', null])
    const rows = await api.db.rows('SELECT status FROM wallet WHERE address = $1', [hexToBuffer(address)])
    expect(rows).toContainEqual(['queued'])
  },
)
