import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../../test/api.ts'
import { createKey } from '../../../db/keys.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'

const wallets = ['11', '22', '33'].map((byte): Address => `0x${byte.repeat(20)}`) as [Address, Address, Address]
let t: TestApi

beforeAll(async () => {
  t = await createTestApi()
  await insert(1n, wallets[0], { status: 'full', to_block: 90n, from_block: 0n, transfers: 7n })
  await insert(1n, wallets[1], { status: 'failed', reason: 'the node is away' })
  await insert(137n, wallets[0], { status: 'syncing', wide_logs: 2n })
  await insert(137n, wallets[2], { status: 'removed' })
})
afterAll(() => t?.drop())

async function insert(chainId: bigint, address: Address, columns: Record<string, unknown>): Promise<void> {
  const names = Object.keys(columns)
  const values = names.map((_, i) => `$${i + 4}`)
  await t.db.run(
    `INSERT INTO wallet (partition, chain_id, address, requested_by, ${names}) VALUES ($1, $2, $3, 0, ${values})`,
    [partitionOf(chainId, address), chainId, hexToBuffer(address), ...Object.values(columns)],
  )
}

async function query(method: string, path: string, key = adminKey) {
  const response = await t.api.request(new Request(`http://x${path}`, { method, headers: { 'x-api-key': key } }))
  return { status: response.status, body: (await response.json()) as Record<string, unknown> & { message: string } }
}

test('default: wallets are listed by chain and address, paged, and filtered by chain and status', async () => {
  const listed: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await query('GET', `/admin/wallets?limit=1${cursor && `&cursor=${cursor}`}`)
    const page = body as unknown as {
      result: { chain: string; address: string; status: string }[]
      cursor: string | null
    }
    listed.push(...page.result.map(({ chain, address, status }) => [chain, address, status]))
    cursor = page.cursor
  }
  expect(listed).toEqual([
    ['eth', wallets[0], 'full'],
    ['eth', wallets[1], 'failed'],
    ['polygon', wallets[0], 'syncing'],
  ])
  expect((await query('GET', '/admin/wallets?chain=0x89')).body).toMatchObject({ total: 1 })
  expect((await query('GET', '/admin/wallets?status=failed')).body).toMatchObject({
    result: [{ address: wallets[1], reason: 'the node is away' }],
  })
})

test('default: a wallet shows its coverage and what was skipped', async () => {
  expect((await query('GET', `/admin/wallets/eth/${wallets[0]}`)).body).toMatchObject({
    ...{ status: 'full', fromBlock: '0', toBlock: '90', transfers: '7', tokens: '0', contracts: '0' },
    incomplete: 'all later blocks, as it has more transfers than wallets.maxTransfers',
  })
  expect((await query('GET', `/admin/wallets/polygon/${wallets[0]}`)).body).toMatchObject({
    incomplete: '2 logs with more than 100000 tokens each',
  })
})

test('default: a wallet can be requested, removed and requested again', async () => {
  const path = `/admin/wallets/eth/${wallets[2]}`
  expect((await query('GET', path)).status).toBe(404)
  expect(await query('POST', `${path}/index`)).toMatchObject({ status: 200, body: { status: 'queued', progress: 0 } })
  expect(await query('POST', `${path}/index`)).toMatchObject({ status: 200, body: { status: 'queued' } })
  expect(await query('DELETE', path)).toMatchObject({ status: 200, body: { removed: true, address: wallets[2] } })
  expect((await query('DELETE', path)).status).toBe(404)
  expect((await query('POST', `${path}/index`)).status).toBe(200)
})

test('error: rejects unknown wallets and chains, burn addresses and read keys', async () => {
  const missing = await query('GET', `/admin/wallets/eth/0x${'44'.repeat(20)}`)
  expect([missing.status, missing.body.message]).toEqual([
    404,
    `0x${'44'.repeat(20)} of eth is not indexed over all contracts: start it with POST /admin/wallets/eth/0x${'44'.repeat(20)}/index`,
  ])
  expect((await query('GET', `/admin/wallets/nowhere/${wallets[0]}`)).status).toBe(404)
  expect((await query('GET', '/admin/wallets?chain=nowhere')).status).toBe(400)
  expect((await query('GET', '/admin/wallets?status=live&limit=0')).body.message).toMatch(/^limit is "0"; allowed/)
  const burned = await query('POST', `/admin/wallets/eth/0x${'dead'.repeat(10)}/index`)
  expect([burned.status, burned.body.message]).toEqual([400, expect.stringMatching(/^address is /)])
  const { key } = await createKey(t.db, { name: 'reader', access: 'read' })
  expect((await query('GET', '/admin/wallets', key)).status).toBe(403)
})
