import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApi, type TestApi } from '../../../../test/api.ts'
import { rowsRead } from '../../../../test/rowsRead.ts'
import { seedCoins, seededAsset, seededCoin } from '../../../../test/seedCoins.ts'
import { addTokens, seedCollection } from '../../../../test/seedCollection.ts'
import { storeCoins } from '../../../coin/storeCoins.ts'
import { parseConfig } from '../../../config/config.ts'
import type { Database, Row, Sql, Transaction } from '../../../db/database.ts'
import { createKey } from '../../../db/keys.ts'
import { countCollections, listCollections } from '../../../nft/pages/collections/collectionList.ts'
import { createAdminSearch } from '../../../service/admin/createAdminSearch.ts'
import { streamPartition } from '../../../sync/partition.ts'
import type { Address } from '../../../util/hex.ts'
import type { SearchReport } from '../../admin/search.ts'

/** Number of other collections and coins around the searched ones. */
const many = 30_000
const apes: Address = `0xabcdef${'ab'.repeat(17)}`
const streamId = '0a1b2c3d-0000-4000-8000-000000000001'
const dust = seededAsset(5, { type: `0x${'00a1'.padEnd(64, 'c')}`, name: 'Dust', symbol: 'DUST', version: 61_000n })
const moon = seededCoin(3, { name: 'Moon "Rock"', symbol: 'MÖON', version: 60_000n })
let t: TestApi

beforeAll(async () => {
  t = await createTestApi()
  const { db } = t
  await db.run(
    `INSERT INTO collection (partition, chain_id, address, status, name, tokens)
     SELECT n % 256, CASE WHEN n % 2 = 0 THEN 1 ELSE 137 END, decode(lpad(to_hex(n), 8, '0') || repeat('00', 16), 'hex'), 'live', 'Filler ' || n, 1
     FROM generate_series(1, $1::int) n`,
    [many],
  )
  const columns = { name: 'Lost Apes of the 100% Moon' }
  const eth = await seedCollection(db, { address: apes, tokens: [7n, 123_456n], columns })
  await seedCollection(db, { address: apes, chainId: 137n, tokens: [7n] })
  await db.run('UPDATE token SET amount = 0 WHERE token_id = 123456')
  await addTokens(db, { address: apes, ...eth, tokens: [99n] })
  await seedCoins(db, { coins: [moon, dust], from: 0n, to: 100_000n })
  await db.run(
    `INSERT INTO coin (network_id, coin_type_hash, imported, shown, version, record)
     SELECT id, sha256(n::text::bytea), false, true, n, '{"coin_type":"0x1::filler::F' || n || '","coin_type_hash":"' ||
       encode(sha256(n::text::bytea), 'hex') || '","creator_address":"0x1","decimals":8,"name":"Filler ' || n ||
       '","supply_aggregator_table_handle":null,"supply_aggregator_table_key":null,"symbol":"F' || n || '","transaction_created_timestamp":"","transaction_version_created":"' || n || '"}'
     FROM coin_network, generate_series(1, $1::int) n`,
    [many],
  )
  const partition = streamPartition(streamId)
  await db.run(
    `INSERT INTO stream (partition, id, status, webhook_url, webhook_secret, description, tag, chain_ids, definition)
     VALUES ($1, $2, 'active', 'http://secret.example/token', 'whsec_', 'watches apes', 'Shop-Apes', '{1}', '{}')`,
    [partition, streamId],
  )
  await db.run('INSERT INTO stream_address (partition, stream_id, address) VALUES ($1, $2, $3)', [
    partition,
    streamId,
    Buffer.alloc(20, 0x77),
  ])
})
afterAll(() => t.drop())

async function search(q: string): Promise<SearchReport> {
  const response = await t.get(`/admin/search?q=${encodeURIComponent(q)}`)
  expect(response.status).toBe(200)
  return (await response.json()) as SearchReport
}

/** Returns the results, one per line. */
async function found(q: string): Promise<string[]> {
  const { collections, tokens, coins, streams } = await search(q)
  return [
    ...(collections.result as { chain: string; name: string }[]).map(({ chain, name }) => `${chain} ${name}`),
    ...(tokens.result as { chain: string; tokenId: string }[]).map(({ chain, tokenId }) => `${chain} #${tokenId}`),
    ...(coins.result as { symbol: string }[]).map(({ symbol }) => symbol),
    ...(streams.result as { tag: string }[]).map(({ tag }) => tag),
  ]
}

const ofApes = ['eth Lost Apes of the 100% Moon', 'polygon Seeds']

test.each([
  ['how an address begins', '0xABCdef', ofApes],
  ['half of a byte of it', '0xabcde', ofApes],
  ['a whole address', apes, ofApes],
  ['how a name begins', 'lost AP', ['eth Lost Apes of the 100% Moon']],
  ['a name with a sign of SQL', 'Lost%', []],
  ['a contract and an id', `${apes}/7`, ['eth #7', 'polygon #7']],
  ['an id that nobody holds any more', `${apes}/123456`, []],
  ['a chain, a contract and an id', `0x1/${apes}/99`, ['eth #99']],
  ['a chain that there is not', `nowhere/${apes}/99`, []],
  ['the type of a coin', moon.type, ['MÖON']],
  ['its hash', moon.hash, ['MÖON']],
  ['how that begins', `0x${moon.hash.slice(0, 12)}`, ['MÖON']],
  ['how its name begins, with a sign that JSON escapes', 'moon "r', ['MÖON']],
  ['its symbol', 'MÖO', ['MÖON']],
  ['how the address in its type begins', '0x4::se', ['MÖON']],
  ['how that begins, with leading zeros', '0x00004::seed', ['MÖON']],
  ['the address of an asset', dust.type, ['DUST']],
  ['how that begins', '0x00A1cC', ['DUST']],
  ['that without leading zeros', `0x${dust.type.slice(4)}`, ['DUST']],
  ['that in capital letters', `0X${dust.type.slice(4).toUpperCase()}`, ['DUST']],
  ['the name of an asset', 'dust', ['DUST']],
  ['what is in the middle of its name', 'n "Rock"', ['MÖON']],
  ['the id of a stream', streamId.toUpperCase(), ['Shop-Apes']],
  ['how that begins', '0a1b2c3d', ['Shop-Apes']],
  ['what is in its tag', 'p-ape', ['Shop-Apes']],
  ['an address that it watches', `0x${'77'.repeat(20)}`, ['Shop-Apes']],
])('default: finds results by %s: %s', async (_, q, lines) => {
  expect(await found(q)).toEqual(lines)
})

test('behavior: returns at most twenty results of a kind, and whether there are more', async () => {
  const { collections, coins } = await search('filler')
  expect(collections).toMatchObject({ more: true, cutShort: false })
  expect(collections.result).toHaveLength(20)
  expect(coins).toMatchObject({ more: true, cutShort: false })
  expect(coins.result).toHaveLength(20)
})

test('behavior: search results do not contain the URL of a webhook endpoint', async () => {
  expect(JSON.stringify(await search('apes'))).not.toContain('secret')
})

/** Searches in the transaction whose rows are counted. Without a time limit, which would end that transaction on a busy machine. */
const within = (tx: Transaction): Database => ({
  ...t.db,
  async transaction(work, settings = '') {
    await tx.script(
      settings
        .split(';')
        .filter((statement) => statement.includes('LOCAL') && !statement.includes('statement_timeout'))
        .join(';'),
    )
    return work(tx)
  },
})

const texts = ['zebra', '0xdead', `0x${'12'.repeat(20)}`, '31337', `${apes}/5`, moon.type, 'a'.repeat(2_000)]

test.each(texts)(
  'behavior: a search for %s reads a bounded number of rows, and reports that it was cut short',
  async (q) => {
    const config = parseConfig({})
    for (const table of ['collection', 'coin']) {
      const read = await t.db.transaction((tx) => {
        const db = within(tx)
        return rowsRead(tx, table, () => createAdminSearch({ config, db })(q, 20, { streams: true }))
      })
      // A search reads 10,000 rows that it checks, as many that it skips, 5,000 for a token, and the results.
      expect(read).toBeLessThan(26_000)
    }
    const report = await search(q)
    const looked = { collections: !q.includes('/'), tokens: q === '31337', coins: !q.includes('::') }
    for (const [kind, isCut] of Object.entries(looked))
      if (isCut) expect(report[kind as keyof typeof looked]).toMatchObject({ more: false, cutShort: true })
  },
)

test('behavior: a list page costs the same however many collections there are, and a filtered list continues by cursor', async () => {
  const all = { chainId: null, status: null, search: null, limit: 20, after: null }
  const cost = (options: Parameters<typeof listCollections>[1]) =>
    t.db.transaction((tx) => rowsRead(tx, 'collection', () => listCollections(tx, options)))
  expect(await cost(all)).toBeLessThan(200)
  expect(await cost({ ...all, chainId: 137n })).toBeLessThan(200)
  expect(await cost({ ...all, search: 'apes' })).toBeLessThan(25_000)
  const filter = { ...all, search: 'apes' }
  let pages = 0
  let after: Parameters<typeof listCollections>[1]['after'] = null
  const names: (string | null)[] = []
  do {
    const page = await listCollections(t.db, { ...filter, after })
    for (const { state } of page.collections) names.push(state.name)
    after = page.next
    pages += 1
  } while (after)
  expect(names).toEqual(['Lost Apes of the 100% Moon'])
  expect(pages).toBe(4)
  expect(await countCollections(t.db, filter)).toBe(1)
})

test('behavior: coins that are not listed yet do not hide listed coins in a search', async () => {
  const late = Array.from({ length: 30 }, (_, n) => seededCoin(1_000 + n, { symbol: `QUARK${n}`, version: 200_000n }))
  const listed = seededCoin(2_000, { symbol: 'QUARKZ', version: 1n })
  await t.db.transaction((tx) => storeCoins(tx, { networkId: 1, from: 200_000n, to: 200_000n, coins: late }))
  await t.db.transaction((tx) => storeCoins(tx, { networkId: 1, from: 1n, to: 1n, coins: [listed] }))
  expect(await found('quark')).toEqual(['QUARKZ'])
})

test('behavior: coins of several networks that contain a text are listed with the latest first', async () => {
  const [row] = await t.db.rows<[number]>(
    `INSERT INTO coin_network (name, shown_version) VALUES ('testnet', 100000) RETURNING id`,
  )
  const networks = [1, row![0]]
  for (const [i, version] of [99_970n, 99_940n, 99_990n, 99_960n].entries()) {
    const coins = [seededCoin(3_000 + i, { symbol: `A${version}BARYON`, version })]
    const networkId = networks[i % 2]!
    await t.db.transaction((tx) => storeCoins(tx, { networkId, from: version, to: version, coins }))
  }
  expect(await found('baryon')).toEqual(['A99990BARYON', 'A99970BARYON', 'A99960BARYON', 'A99940BARYON'])
})

test('behavior: a removal while a list page is read does not make paging skip another collection', async () => {
  const address = "lpad(to_hex($1::int), 8, '0') || repeat('00', 16)"
  /** Removes the first collection after the first statement of a page. */
  const removing: Sql = {
    ...t.db,
    async rows<Read extends Row>(text: string, values?: unknown[]) {
      const rows = await t.db.rows<Read>(text, values)
      await t.db.run(`DELETE FROM collection WHERE address = decode(${address}, 'hex')`, [2])
      return rows
    },
  }
  // This collection is the first one after those that a page checks.
  const filter = { chainId: 1n, status: null, search: 'Filler 20002', limit: 20 }
  const page = await listCollections(removing, { ...filter, after: null })
  expect(page).toMatchObject({ collections: [], next: expect.anything() })
  const rest = await listCollections(t.db, { ...filter, after: page.next })
  expect(rest.collections.map(({ state }) => state.name)).toEqual(['Filler 20002'])
})

test.each([
  ['', 'q is missing; allowed: a text of 1 to 2000 characters'],
  ['?q=', 'q is empty; allowed: a text of 1 to 2000 characters'],
  ['?q=%20', 'q is " "; allowed: a text of 1 to 2000 characters'],
  [`?q=${'a'.repeat(2_001)}`, 'allowed: a text of 1 to 2000 characters'],
  ['?q=%00', 'q contains U+0000'],
])('error: %s', async (query, expected) => {
  const response = await t.get(`/admin/search${query}`)
  expect(response.status).toBe(400)
  expect(((await response.json()) as { message: string }).message).toContain(expected)
})

test('behavior: a read key finds collections, tokens and coins, but no streams', async () => {
  const { key } = await createKey(t.db, { name: 'reader', access: 'read' })
  const get = (target: string) =>
    t.api.request(new Request(`http://localhost${target}`, { headers: { 'x-api-key': key } }))
  const found = async (q: string) => {
    const response = await get(`/api/v2/search?q=${encodeURIComponent(q)}`)
    expect(response.status).toBe(200)
    return (await response.json()) as Omit<SearchReport, 'streams'>
  }
  const { streams: _, ...rest } = await search('apes')
  expect(await found('apes')).toEqual(rest)
  expect(await found(moon.type)).toMatchObject({ coins: { result: [{ coinType: moon.type, standard: 'v1' }] } })
  for (const q of [streamId, 'Shop-Apes', `0x${'77'.repeat(20)}`])
    expect(JSON.stringify(await found(q))).not.toMatch(/shop|0a1b2c3d/i)
  expect((await get('/admin/search?q=apes')).status).toBe(403)
})
