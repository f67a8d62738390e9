import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { adminKey, createTestApi, type TestApi } from '../../../../test/api.ts'
import { runCommand } from '../../../../test/commandLine.ts'
import { lockWaits } from '../../../../test/lockWaits.ts'
import { patience } from '../../../../test/patience.ts'
import { seedCollection } from '../../../../test/seedCollection.ts'
import { createKey } from '../../../db/keys.ts'
import { lockCollection } from '../../../nft/collection/lock.ts'
import { nextRemoval, removeRows } from '../../../nft/store/removals.ts'
import { tokenHash } from '../../../nft/transfers/tokenHash.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'

const apes: Address = `0x${'ab'.repeat(20)}`
const cats: Address = `0x${'cd'.repeat(20)}`
let t: TestApi

beforeAll(async () => {
  t = await createTestApi()
  const { id: keyId } = await createKey(t.db, { name: 'shop', access: 'read' })
  const { partition, id } = await seedCollection(t.db, {
    address: apes,
    tokens: [1n, 2n, 3n],
    columns: {
      name: 'Lost Apes',
      requested_by: keyId,
      spam_reasons: ['its name holds a web address'],
      wide_logs: 1n,
      surplus_transfers: 7n,
    },
  })
  await seedCollection(t.db, {
    address: cats,
    chainId: 137n,
    columns: {
      name: 'Cats',
      status: 'syncing',
      from_block: 1n,
      coverage: '{[1,501)}',
      requested_by: 0n,
      covered_at: new Date(),
      recent_blocks: 500,
      recent_seconds: 100,
    },
  })
  const rows = [1, 2].map((token) => tokenHash(apes, String(token)))
  await t.db.run(
    `INSERT INTO token_metadata (partition, collection_id, token_hash, state, reason, attempts, record, tried_at)
     SELECT $1, $2, hash, state, reason, 1, '', now()
     FROM unnest($3::uuid[], '{ok,permanent}'::text[], '{NULL,the document is not JSON}'::text[]) AS t (hash, state, reason)`,
    [partition, id, rows],
  )
  await t.db.run(
    `INSERT INTO media (partition, collection_id, url_hash, url, ready, status) VALUES ($1, $2, md5('a')::uuid, 'a', '{}', 'unsupported_media')`,
    [partition, id],
  )
  await t.db.run(
    `INSERT INTO left_out (partition, collection_id, chain_id, position, reason, transfers, range_moves, transaction_hash)
     VALUES ($1, $2, 1, 12 * 1048576 + 3, 'surplus', 7, 0, $3)`,
    [partition, id, Buffer.alloc(32, 1)],
  )
})
afterAll(() => t.drop())

type Body = {
  message: string
  result: { name: string }[]
  cursor: string | null
  blocksPerSecond: number
  secondsLeft: number
}

async function send(method: string, path: string, body?: unknown, key = adminKey) {
  const response = await t.api.request(
    new Request(`http://localhost${path}`, {
      method,
      headers: { 'x-api-key': key },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  return { status: response.status, body: (await response.json()) as Body }
}

const one = (address = apes) => `/admin/collections/eth/${address}`

test('default: the API shows a collection with the same JSON as the collections show command', async () => {
  const { status, body } = await send('GET', one(apes.toUpperCase().replace('0X', '0x') as Address))
  expect(status).toBe(200)
  expect(body).toMatchObject({
    chain: 'eth',
    chainId: '0x1',
    address: apes,
    status: 'live',
    synced: true,
    tokens: '3',
    progress: 1,
    blocksPerSecond: null,
    secondsLeft: null,
    incomplete: 'omitted: 1 logs with more than 100000 tokens each, 7 transfers beyond sync.maxTokens',
    requestedBy: { keyId: expect.stringMatching(/^\d+$/), name: 'shop' },
    metadata: {
      ok: '1',
      failed: '0',
      permanent: '1',
      due: '0',
      parked: '0',
      reasons: [{ reason: 'the document is not JSON', tokens: '1' }],
    },
    hosts: [],
    verdict: { possibleSpam: false, reasons: ['its name holds a web address'], spamOverride: null },
    leftOut: {
      wideLogs: '1',
      surplusTransfers: '7',
      logs: [{ block: '12', logIndex: 3, reason: 'surplus', transfers: '7', transactionHash: `0x${'01'.repeat(32)}` }],
    },
    previews: { unsupported_media: '1' },
  })
  const { out } = await runCommand(['collections', 'show', 'eth', apes, '--json', '--database-url', t.url])
  expect(JSON.parse(out)).toEqual(body)
})

test('behavior: while history is read, the collection shows its block rate and the estimated time left', async () => {
  const { body } = await send('GET', `/admin/collections/polygon/${cats}`)
  // 500 blocks took 100 s plus the duration of this test, and 500 remain.
  expect(body.blocksPerSecond).toBeLessThanOrEqual(5)
  expect(body.blocksPerSecond).toBeGreaterThan(1)
  expect(body.secondsLeft).toBeGreaterThanOrEqual(100)
  expect(body).toMatchObject({ progress: 0.5, requestedBy: { keyId: '0', name: null } })
})

test('behavior: progress is 0 for a history that begins above the followed block of its chain', async () => {
  const address: Address = `0x${'ef'.repeat(20)}`
  await seedCollection(t.db, { address, chainId: 56n, columns: { from_block: 20n } })
  await t.db.run('UPDATE chain SET block_number = 10, head_number = 30 WHERE id = 56')
  expect((await send('GET', `/admin/collections/bsc/${address}`)).body).toMatchObject({ progress: 0, synced: false })
  await t.db.run('DELETE FROM collection WHERE chain_id = 56')
})

test('behavior: a read key lists collections without the operator’s fields', async () => {
  const { key } = await createKey(t.db, { name: 'reader', access: 'read' })
  const list = (query: string) => send('GET', `/api/v2/collections${query}`, undefined, key)
  const { status, body } = await list('?search=ape')
  expect(status, body.message).toBe(200)
  const about = { chain: 'eth', chainId: '0x1', address: apes, name: 'Lost Apes', symbol: 'SEED', standard: 'ERC721' }
  const liveState = { tokens: '3', status: 'live', synced: true, progress: 1, possibleSpam: false, verified: false }
  expect(body).toMatchObject({ total: 1, cursor: null })
  expect(body.result).toEqual([{ ...about, ...liveState }])
  const first = (await list('?limit=1')).body
  const second = (await list(`?limit=1&cursor=${first.cursor}`)).body
  expect([...first.result, ...second.result].map(({ name }) => name)).toEqual(['Lost Apes', 'Cats'])
  const foreign = await send('GET', `/admin/collections?limit=1&cursor=${first.cursor}`)
  expect(foreign.status).toBe(400)
  expect((await list('?chain=nothing')).status).toBe(400)
  expect((await send('GET', '/admin/collections', undefined, key)).status).toBe(403)
})

test.each([
  ['', ['Lost Apes', 'Cats']],
  ['?chain=137', ['Cats']],
  ['?chain=ETH', ['Lost Apes']],
  ['?status=syncing', ['Cats']],
  ['?search=APE', ['Lost Apes']],
  ['?search=0XCDCD', ['Cats']],
  ['?search=dogs', []],
])('behavior: lists collections with the query %s', async (query, names) => {
  const { status, body } = await send('GET', `/admin/collections${query}`)
  expect(status).toBe(200)
  expect(body.result.map(({ name }) => name)).toEqual(names)
  expect(body).toMatchObject({ total: names.length, cursor: null, page: 0, page_size: 100 })
})

test('behavior: a list continues by its cursor with the filters of the first call', async () => {
  const first = await send('GET', '/admin/collections?limit=1&search=a')
  expect(first.body).toMatchObject({ result: [{ name: 'Lost Apes' }], total: 2, page: 0, page_size: 1 })
  const next = await send('GET', `/admin/collections?cursor=${first.body.cursor}`)
  expect(next.body).toMatchObject({ result: [{ name: 'Cats' }], total: 2, page: 1, cursor: null })
  const other = await send('GET', `/admin/collections?search=b&cursor=${first.body.cursor}`)
  expect(other).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining('search is "b", but the cursor was made with ') },
  })
  const altered = await send('GET', `/admin/collections?cursor=${'A'.repeat(80)}`)
  expect(altered).toMatchObject({ status: 400, body: { message: expect.stringContaining('cursor is not a cursor') } })
})

test('behavior: an operator can flag a collection, and reset the spam flag to auto', async () => {
  const yes = await send('POST', `${one()}/flag`, { spam: 'yes', verified: 'no' })
  expect(yes).toMatchObject({ status: 200, body: { possibleSpam: true, spamOverride: true, verifiedOverride: false } })
  expect((await send('GET', one())).body).toMatchObject({ possibleSpam: true, verified: false })
  const auto = await send('POST', `${one()}/flag`, { spam: 'auto' })
  expect(auto).toMatchObject({
    status: 200,
    body: { possibleSpam: false, spamOverride: null, verifiedOverride: false },
  })
})

test("behavior: reindexing keeps the operator's flags, and removal deletes the rows in the background", async () => {
  const address: Address = `0x${'ef'.repeat(20)}`
  await seedCollection(t.db, { address, tokens: [1n, 2n], columns: { requested_by: 0n, verified_override: true } })
  const remaining = async () => (await t.db.rows<[bigint]>('SELECT count(*) FROM token'))[0]?.[0]
  const reindexed = await send('POST', `${one(address)}/reindex`)
  expect(reindexed).toEqual({ status: 200, body: { chain: 'eth', chainId: '0x1', address, tokens: '2', queued: true } })
  expect((await send('GET', one(address))).body).toMatchObject({
    status: 'queued',
    tokens: '0',
    verdict: { verifiedOverride: true },
  })
  const removed = await send('DELETE', one(address))
  expect(removed).toMatchObject({ status: 200, body: { tokens: '0', queued: false } })
  expect((await send('GET', one(address))).status).toBe(404)
  expect(await remaining()).toBe(5n)
  const partitions = Array.from({ length: 256 }, (_, i) => BigInt(i))
  await vi.waitUntil(async () => {
    const removal = await nextRemoval(t.db, partitions)
    return !removal || void (await removeRows(t.db, removal))
  }, patience)
  expect(await remaining()).toBe(3n)
})

test("behavior: an operator's flag that is set during a reindex applies to the new row", async () => {
  const address: Address = `0x${'e1'.repeat(20)}`
  const { partition, id } = await seedCollection(t.db, { address, tokens: [1n] })
  const { reindexed, flagged } = await t.db.transaction(async (tx) => {
    await tx.rows(lockCollection, [partition, id])
    const first = send('POST', `${one(address)}/reindex`)
    await vi.waitUntil(async () => (await lockWaits(t.db)) > 0, patience)
    const second = send('POST', `${one(address)}/flag`, { spam: 'yes' })
    await vi.waitUntil(async () => (await lockWaits(t.db)) > 1, patience)
    return { reindexed: first, flagged: second }
  })
  expect((await reindexed).status).toBe(200)
  expect(await flagged).toMatchObject({ status: 200, body: { spamOverride: true } })
  expect((await send('GET', one(address))).body).toMatchObject({ status: 'queued', verdict: { spamOverride: true } })
  expect((await send('DELETE', one(address))).status).toBe(200)
})

test('behavior: a contract known only from wallets can be flagged, by API and by command', async () => {
  const known: Address = `0x${'5e'.repeat(20)}`
  await t.db.run(
    `INSERT INTO collection (partition, chain_id, address, status, standard, requested_by) VALUES ($1, 1, $2, 'known', 'ERC721', 0)`,
    [partitionOf(1n, known), hexToBuffer(known)],
  )
  const flagged = await send('POST', `${one(known)}/flag`, { spam: 'yes' })
  expect(flagged).toMatchObject({ status: 200, body: { possibleSpam: true, spamOverride: true } })
  const [row] = await t.db.rows('SELECT version > 0 FROM collection WHERE address = $1', [hexToBuffer(known)])
  expect(row).toEqual([true])
  const command = await runCommand([
    'flag',
    'eth',
    known,
    '--spam',
    'auto',
    '--verified',
    'yes',
    '--database-url',
    t.url,
  ])
  expect(command.code).toBe(0)
  expect((await send('GET', one(known))).status).toBe(404)
})

test.each([
  ['GET', '/admin/collections?status=gone', undefined, 400, 'allowed: queued, syncing, live, none, nocode or failed'],
  ['GET', '/admin/collections?chain=nowhere', undefined, 400, 'there is no chain "nowhere"; available: eth, '],
  ['GET', '/admin/collections?limit=101', undefined, 400, 'limit is "101"; allowed: a whole number from 1 to 100'],
  ['GET', `/admin/collections/nowhere/${apes}`, undefined, 404, 'there is no chain "nowhere"; available: eth, '],
  ['GET', '/admin/collections/eth/0x12', undefined, 400, 'address is "0x12"'],
  [
    'GET',
    one(cats),
    undefined,
    404,
    `${cats} of eth is not indexed: start its indexing with GET /api/v2/nft/${cats}?chain=eth`,
  ],
  ['DELETE', one(cats), undefined, 404, 'is not indexed'],
  ['POST', `${one(cats)}/reindex`, undefined, 404, 'is not indexed'],
  ['POST', `${one(cats)}/flag`, { spam: 'yes' }, 404, 'is not indexed'],
  ['POST', `${one()}/flag`, {}, 400, 'spam and verified are missing; allowed: one of them or both'],
  ['POST', `${one()}/flag`, { spam: true }, 400, 'spam is true; allowed: yes'],
])('error: %s %s %o', async (method, path, body, status, flags) => {
  const answer = await send(method, path, body)
  expect(answer.status).toBe(status)
  expect(answer.body.message).toContain(flags)
})

test('error: a read key gets 403', async () => {
  const { key } = await createKey(t.db, { name: 'reader', access: 'read' })
  for (const [method, path] of [
    ['GET', '/admin/collections'],
    ['DELETE', one()],
    ['GET', '/admin/search?q=apes'],
  ] as const)
    expect((await send(method, path, undefined, key)).status).toBe(403)
})
