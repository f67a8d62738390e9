import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { patience } from '../../../../test/patience.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { positionOf } from '../../../nft/transfers/position.ts'
import type { Address } from '../../../util/hex.ts'

let api: TestApi
beforeAll(async () => {
  api = await createTestApi({ config: { pageCache: { freshMs: 0 } } })
  await api.db.run(
    `INSERT INTO block (chain_id, number, hash, parent_hash, timestamp)
     SELECT 1, n, decode(lpad(to_hex(n), 64, '0'), 'hex'), '\\x00', 0 FROM generate_series(50, 1000) n`,
  )
})
afterAll(() => api.drop())

const hashOf = (block: number) => `0x${block.toString(16).padStart(64, '0')}`
let seeds = 0
/** SQL condition for a lock on which a reader of transfers waits. The table has the same oid in the databases of all tests. */
const awaited = `relation = 'transfer'::regclass AND NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

/** An ERC-721 contract whose token n is minted in block 100 + n to one owner, and moves to another in block 500. */
async function seed(tokens: number) {
  const address: Address = `0x${(++seeds).toString(16).padStart(40, '0')}`
  const { partition, id } = await seedCollection(api.db, { address })
  const move = (block: string, from: string, to: string) =>
    api.db.run(
      `INSERT INTO transfer (partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, block_hash)
       SELECT $1, $2, ${block}, 0, n, decode(${from}, 'hex'), decode(${to}, 'hex'), 1, '\\x00',
         decode(lpad(to_hex((${block}) / ${positionOf(1, 0)}::int8), 64, '0'), 'hex') FROM generate_series(1, $3::int) n`,
      [partition, id, tokens],
    )
  const first = `lpad(to_hex(n), 40, 'a')`
  await move(`(100 + n) * ${positionOf(1, 0)}::int8`, `repeat('0', 40)`, first)
  await move(`${positionOf(500, 0)} + n`, first, `lpad(to_hex(n), 40, 'b')`)
  await api.db.run('UPDATE chain SET finalized_number = 900')
  const get = (query: string, headers = {}) => api.get(`/api/v2/nft/${address}/snapshot?${query}`, headers)
  const owner = (n: number, digit: string) => `0x${n.toString(16).padStart(40, digit)}`
  const rows = (count: number, digit: string) =>
    Array.from({ length: count }, (_, i) => [String(i + 1), owner(i + 1, digit), '1'])
  return { address, id, get, rows }
}

const rootOf = (rows: string[][]) =>
  StandardMerkleTree.of(
    rows.map(([id, owner, amount]) => [owner, id, amount]),
    ['address', 'uint256', 'uint256'],
  ).root

test('default: a snapshot has all holders at the end of a block, with the Merkle root in a header', async () => {
  const { address, get, rows } = await seed(30)
  const answer = await get('as_of_block=110')
  const text = await answer.text()
  expect(text).toBe(
    `token_id,owner_of,amount\n${rows(10, 'a')
      .map((row) => `${row.join(',')}\n`)
      .join('')}`,
  )
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    ...{ 'x-snapshot-block': '110', 'x-snapshot-block-hash': hashOf(110), 'x-snapshot-root': rootOf(rows(10, 'a')) },
    ...{ 'x-snapshot-holders': '10', 'content-length': String(text.length), 'x-index-status': 'synced' },
    ...{ 'content-type': 'text/csv; charset=utf-8', 'x-as-of-block-hash': hashOf(110) },
    'content-disposition': `attachment; filename="${address}-holders-110.csv"`,
  })
  const final = await get('format=ndjson')
  const lines = (await final.text()).trim().split('\n')
  expect(lines.map((line) => Object.values(JSON.parse(line)))).toEqual(rows(30, 'b'))
  expect([final.headers.get('x-snapshot-block'), final.headers.get('x-snapshot-root')]).toEqual([
    ...['900', rootOf(rows(30, 'b'))],
  ])
})

test('behavior: a part of a snapshot has the headers of the whole file, and its 304 those of the block', async () => {
  const { get } = await seed(3)
  const whole = await get('as_of_block=600')
  const text = await whole.text()
  const named = (answer: Response) =>
    [...answer.headers].filter(([name]) => /^x-(snapshot|as-of|index-status)/.test(name))
  const ifRange = { range: 'bytes=30-', 'if-range': whole.headers.get('etag')! }
  const part = await get('as_of_block=600', ifRange)
  expect([part.status, await part.text(), named(part)]).toEqual([206, text.slice(30), named(whole)])
  expect(named(part)).toHaveLength(7)
  const same = await get('as_of_block=600', { 'if-none-match': whole.headers.get('etag')! })
  expect([same.status, Object.fromEntries(same.headers)]).toMatchObject([
    ...[304, { 'x-snapshot-block': '600', 'x-snapshot-block-hash': hashOf(600) }],
  ])
  const other = await get('as_of_block=601', ifRange)
  expect([other.status, await other.text()]).toEqual([200, text])
})

test('behavior: a snapshot before the first holder has no rows and no root', async () => {
  const { get } = await seed(3)
  const answer = await get('as_of_block=100')
  expect([answer.headers.get('x-snapshot-holders'), answer.headers.get('x-snapshot-root')]).toEqual(['0', null])
  expect(await answer.text()).toBe('token_id,owner_of,amount\n')
})

test('behavior: a later change of the collection keeps the ETag of a snapshot, and a replaced block changes it', async () => {
  const { get, rows } = await seed(5)
  const first = await get('as_of_block=990')
  expect(await first.text()).toContain(rows(5, 'b')[4]!.join(','))
  const etag = { 'if-none-match': first.headers.get('etag')! }
  await api.db.run('UPDATE collection SET version = version + 1')
  expect((await get('as_of_block=990', etag)).status).toBe(304)
  await api.db.run(`UPDATE block SET hash = '\\x${'cd'.repeat(32)}' WHERE number = 990`)
  const replaced = await get('as_of_block=990', etag)
  expect([replaced.status, replaced.headers.get('x-snapshot-block-hash')]).toEqual([200, `0x${'cd'.repeat(32)}`])
  await replaced.text()
})

test('error: rejects a snapshot block that is not covered, with the covered range', async () => {
  const { get } = await seed(1)
  const answer = await get('as_of_block=1001')
  expect([answer.status, await answer.json()]).toMatchObject([400, { message: /a block from 0 to 1000/ }])
  expect(answer.headers.get('x-index-to-block')).toBe('1000')
  const unknown = await api.get(`/api/v2/nft/0x${'77'.repeat(20)}/snapshot`)
  expect([unknown.status, unknown.headers.get('x-index-status')]).toEqual([400, 'queued'])
  await unknown.text()
})

test('error: a second concurrent snapshot of a key gets 429, and a block replaced meanwhile is not sent', async () => {
  const { get } = await seed(4)
  const held = await api.db.connect()
  try {
    await held.query('BEGIN; LOCK TABLE transfer')
    const waiting = get('as_of_block=995')
    const isWaiting = async () => (await api.db.rows(`SELECT 1 FROM pg_locks WHERE ${awaited}`)).length > 0
    await vi.waitUntil(isWaiting, patience)
    const rejected = await get('as_of_block=996')
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '5'])
    await rejected.text()
    await api.db.run(`UPDATE block SET hash = '\\x${'ef'.repeat(32)}' WHERE number = 995`)
    await held.query('ROLLBACK')
    const answer = await waiting
    expect([answer.status, answer.headers.get('x-snapshot-block-hash')]).toEqual([200, `0x${'ef'.repeat(32)}`])
    await answer.text()
  } finally {
    await held.end()
  }
})

test('error: a lost database connection during a snapshot gets 503, and the key may retry immediately', async () => {
  const { get, rows } = await seed(4)
  const held = await api.db.connect()
  try {
    await held.query('BEGIN; LOCK TABLE transfer')
    const waiting = get('as_of_block=600')
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE ${awaited}`
    await vi.waitUntil(async () => (await api.db.rows(cut)).length > 0, patience)
    const answer = await waiting
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
    await answer.text()
    await held.query('ROLLBACK')
    const again = await get('as_of_block=600')
    expect([again.status, again.headers.get('x-snapshot-root')]).toEqual([200, rootOf(rows(4, 'b'))])
    await again.text()
  } finally {
    await held.end()
  }
})
