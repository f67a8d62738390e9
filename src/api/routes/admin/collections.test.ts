import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { storeCounts } from '../../../nft/discovery/storeCounts.ts'
import type { Address } from '../../../util/hex.ts'

const addressOf = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
const start = 1_700_000_000

let t: TestApi
let quiet: TestApi
beforeAll(async () => {
  t = await createTestApi({ config: { chains: { eth: { discover: true }, polygon: { discover: true } } } })
  quiet = await createTestApi()
  // Each of two chains has ten contracts. Contract n moved n % 4 tokens and was found in the second n / 2.
  for (const chainId of [1n, 137n])
    for (let n = 0; n < 10; n++) {
      const contracts = new Map([[addressOf(n), { standard: 'ERC1155', transfers: n % 4, mints: n % 2 }]] as const)
      const block = { number: BigInt(100 + n), time: start + Math.floor(n / 2), undoable: false, contracts }
      await t.db.transaction((tx) => storeCounts(tx, chainId, [block]))
    }
})
afterAll(() => Promise.all([t.drop(), quiet.drop()]))

type Listed = { chain: string; chainId: string; discovery: Record<string, string> }
type Body = { result: Listed[]; cursor: string | null; message: string }

async function get(query: string, api = t): Promise<{ status: number; body: Body }> {
  const response = await api.get(`/api/v2/collections${query}`)
  return { status: response.status, body: (await response.json()) as Body }
}

const keysOf = (records: Listed[], order: string) =>
  records.map(({ chainId, discovery: { firstSeenAt, transfers, firstBlock } }) => [
    ...[order === 'activity' ? Number(transfers) : Date.parse(firstSeenAt!), Number(chainId), Number(firstBlock)],
  ])

test.each(['first_seen', 'activity'])(
  'behavior: paging by %s over two chains returns each contract once, in order',
  async (order) => {
    const whole = (await get(`?order=${order}`)).body
    expect(whole).toMatchObject({ total: 20, cursor: null })
    const keys = keysOf(whole.result, order)
    expect(keys).toEqual(keys.toSorted((a, b) => b[0]! - a[0]! || b[1]! - a[1]! || b[2]! - a[2]!))
    const walked: object[] = []
    for (let query = `?order=${order}&limit=3`; ; ) {
      const { body } = await get(query)
      walked.push(...body.result)
      if (!body.cursor) break
      query = `?cursor=${body.cursor}`
    }
    expect(walked).toEqual(whole.result)
    const polygon = (await get(`?order=${order}&chain=polygon`)).body
    expect(polygon.result).toEqual(whole.result.filter(({ chain }) => chain === 'polygon'))
  },
)

test('default: a discovered contract that was never requested has a record with its activity', async () => {
  const { body } = await get('?order=activity&chain=eth&limit=1')
  expect(body.result).toEqual([
    {
      ...{ chain: 'eth', chainId: '0x1', address: addressOf(7), name: null, symbol: null, standard: 'ERC1155' },
      ...{ tokens: '0', status: 'known', synced: false, progress: 0, possibleSpam: false, verified: false },
      discovery: { firstBlock: '107', firstSeenAt: '2023-11-14T22:13:23.000Z', transfers: '3', mints: '1' },
    },
  ])
  // The response makes the contract's name due.
  const queued = await t.db.rows<[number]>(
    'SELECT get_byte(address, 19) FROM collection WHERE retry_at IS NOT NULL AND chain_id = 1',
  )
  expect(queued.flat()).toContain(7)
})

test.each([
  ['?order=newest', 'order is "newest"; allowed: first_seen or activity'],
  ['?order=activity&search=ape', 'search is given with order; allowed: only one of them'],
  ['?order=activity&status=live', 'status is given with order; allowed: only one of them'],
  [
    '?order=activity&chain=bsc',
    'chain is bsc, which discovers no contracts: set chains.bsc.discover to true; allowed: eth, polygon',
  ],
])('error: %s', async (query, message) => {
  expect(await get(query)).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } })
})

test('error: rejects an order where no chain of the server discovers contracts', async () => {
  const message =
    'order needs a chain that discovers contracts, and this server has none: set chains.NAME.discover to true'
  expect(await get('?order=activity', quiet)).toMatchObject({ status: 400, body: { message } })
})

test('error: rejects a cursor of another order', async () => {
  const { cursor } = (await get('?order=activity&limit=1')).body
  const { status, body } = await get(`?order=first_seen&cursor=${cursor}`)
  expect([status, body.message]).toEqual([
    400,
    expect.stringContaining('order is "first_seen", but the cursor was made with activity'),
  ])
})
