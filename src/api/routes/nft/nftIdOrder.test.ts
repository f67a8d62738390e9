import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { createRandom } from '../../../../test/random.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import type { Address } from '../../../util/hex.ts'

const address: Address = `0x${'5a'.repeat(20)}`
const random = createRandom(11)
const ids = [
  ...new Set([
    0n,
    1n,
    2n ** 64n,
    2n ** 255n,
    2n ** 256n - 1n,
    ...Array.from({ length: 195 }, () => BigInt(random.int(1e9))),
  ]),
]
const burned = new Set(ids.filter((_, i) => i % 3 === 1))
const listed = ids.filter((id) => !burned.has(id)).sort((a, b) => (a < b ? -1 : 1))

let api: TestApi
beforeAll(async () => {
  api = await createTestApi()
  await seedCollection(api.db, { address, tokens: ids })
  await api.db.run(
    `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash)
     SELECT partition, collection_id, first_position + n, row_number() OVER (), token_id, '\\x00', '\\x01', 1, '\\x02', '\\x03' FROM token, generate_series(0, 2) n`,
  )
  await api.db.run(`UPDATE token SET amount = 0 WHERE token_id = ANY($1::numeric[])`, [[...burned].map(String)])
  await api.db.run('UPDATE collection SET tokens = $1', [listed.length])
})
afterAll(() => api.drop())

type Body = { result: { token_id: string }[]; cursor: string | null; total: number | null; message: string }

async function request(query: string) {
  const response = await api.get(`/api/v2/nft/${address}?${query}`)
  return { status: response.status, body: (await response.json()) as Body }
}

test.each([1, 7, 100])('default: order=token_id lists every token once by id, %i per page', async (limit) => {
  const found: bigint[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: { body: Body } = await request(
      `order=token_id&limit=${limit}&disable_total=false&format=hex${cursor && `&cursor=${cursor}`}`,
    )
    expect(body.total).toBe(listed.length)
    for (const { token_id } of body.result) found.push(BigInt(token_id))
    cursor = body.cursor
  }
  expect(found).toEqual(listed)
})

test('error: rejects order=token_id with parameters of another order, or with a cursor of another order', async () => {
  for (const query of ['as_of_block=5', 'traits=A:B', 'include=rarity', 'totalRanges=2&range=0']) {
    const { status, body } = await request(`order=token_id&${query}`)
    expect([query, status, body.message]).toEqual([query, 400, expect.stringContaining('order is token_id')])
  }
  const { cursor } = (await request('limit=1')).body
  expect((await request(`order=token_id&cursor=${cursor}`)).status).toBe(400)
})
