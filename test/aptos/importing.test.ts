import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { coinTypeHash } from '../../src/coin/coinType.ts'
import { type CommandResult, runCommand } from '../commandLine.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { createRandom, freshSeed } from '../random.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { createAptosChain } from './aptosChain.ts'
import { type CoinTruth, makeCoins } from './coinActivity.ts'
import { type CoinRecord, expectCoins, startCoinServer } from './coinServer.ts'
import { startFakeFullnode } from './fakeFullnode.ts'
import { inventTransaction } from './inventedTransaction.ts'

const random = createRandom(freshSeed())
process.stdout.write(`seed ${random.seed}\n`)

function runImport(url: string, file: string, ...more: string[]): Promise<CommandResult> {
  return runCommand(['coins', 'import', file, '--database-url', url, '--json', ...more])
}

/** A record of a coin that nobody deployed. */
function record(type: string, version: bigint | number, name = 'Imported'): Record<string, unknown> {
  return {
    coin_type: type,
    decimals: 6,
    name,
    symbol: 'IMP',
    supply_aggregator_table_handle: null,
    supply_aggregator_table_key: null,
    transaction_created_timestamp: '2022-10-19T02:43:38.000Z',
    transaction_version_created: String(version),
  }
}

function csvOf(records: readonly Record<string, unknown>[]): string {
  const names = Object.keys(records[0]!)
  const cell = (value: unknown) => (value === null ? '' : `"${String(value).replaceAll('"', '""')}"`)
  return [names.join(), ...records.map((one) => names.map((name) => cell(one[name])).join())].join('\r\n')
}

const byHash = (records: readonly CoinRecord[]) => new Map(records.map((one) => [one.coin_type, one]))

test('default: an export is listed at once, and the chain has the last word on what it reads', async () => {
  const chain = createAptosChain({ chainId: 1 })
  const truth: CoinTruth = new Map()
  makeCoins(chain, truth, random, 300)
  const known = [...truth.entries()]
  const right = known
    .slice(0, 20)
    .map(([type, { version, coin }]) => ({ ...record(type, version, coin.name), decimals: coin.decimals }))
  const tooEarly = known.slice(20, 25).map(([type], i) => record(type, i, 'Too early'))
  const tooLate = known.slice(25, 30).map(([type], i) => record(type, 290 + i, 'Too late'))
  const invented = [record('0xdead::never::Was', 150)]
  const beyond = [record('0xbeef::not::Yet', 5_000)]
  const records = [...right, ...tooEarly, ...tooLate, ...invented, ...beyond]
  const folder = await temporaryFolder()
  const [json, csv] = [join(folder, 'coins.jsonl'), join(folder, 'coins.csv')]
  await writeFile(json, `\uFEFF${records.map((one) => JSON.stringify(one)).join('\n')}\n\n`)
  await writeFile(csv, csvOf(records))

  const node = await startFakeFullnode({ chain })
  // A network without a source: nothing is read yet.
  await using idle = await startCoinServer({})
  const first = JSON.parse((await runImport(idle.database.url, csv)).out)
  expect(first).toEqual({ network: 'mainnet', read: records.length, added: records.length, replaced: 0 })
  const again = JSON.parse((await runImport(idle.database.url, json)).out)
  expect(again).toEqual({ network: 'mainnet', read: records.length, added: 0, replaced: 0 })
  await expect.poll(async () => (await idle.walk(100)).length).toBe(records.length)
  expect((await idle.headers())['x-index-imported']).toBe(String(records.length))

  await using server = await startCoinServer(
    { mainnet: { rest: node.url, pollIntervalMs: 20 } },
    { databaseUrl: idle.database.url },
  )
  await server.untilCovered(chain.head())
  const listed = byHash(await server.walk(100))
  expect(listed.get('0xbeef::not::Yet')?.transaction_version_created).toBe('5000')
  expect(listed.has('0xdead::never::Was')).toBe(false)
  expect((await server.headers())['x-index-imported']).toBe('1')
  await idle.database.db.run('DELETE FROM coin WHERE coin_type_hash = $1', [
    Buffer.from(coinTypeHash('0xbeef::not::Yet'), 'hex'),
  ])
  await idle.database.db.run('UPDATE coin_network SET version = version + 1')
  await expect.poll(async () => (await server.walk(100)).length).toBe(truth.size)
  await expectCoins(server, truth)
  // What was read says more than a file.
  const late = JSON.parse((await runImport(idle.database.url, csv)).out)
  expect(late.added).toBe(1)
})

test('behavior: read from a later version on, imported coins stay what they are when they are written again', async () => {
  const chain = createAptosChain({ chainId: 1, first: 1_000n })
  const old = { type: '0xc0ffee::old::Coin', name: 'Old', symbol: 'OLD' }
  chain.add(inventTransaction({}))
  chain.add(inventTransaction({ coins: [{ ...old, decimals: 3 }] }))
  chain.add(inventTransaction({ coins: [{ type: '0xc0ffee::new::Coin', name: 'New', symbol: 'NEW' }] }))
  const file = join(await temporaryFolder(), 'coins.jsonl')
  await writeFile(file, JSON.stringify(record(old.type, 17, 'Old')))
  const node = await startFakeFullnode({ chain, oldest: () => 1_000n })
  await using server = await startCoinServer({ testnet: { rest: node.url, startVersion: '1000', pollIntervalMs: 20 } })
  await server.untilCovered(chain.head(), '/aptos/testnet')
  expect((await server.walk(9, '/aptos/testnet')).map((coin) => coin.transaction_version_created)).toEqual([
    '1002',
    '1001',
  ])
  // The file may come after the reading too.
  expect((await runImport(server.database.url, file, '--network', 'testnet')).code).toBe(0)
  await expect
    .poll(async () => (await server.walk(9, '/aptos/testnet')).map((coin) => coin.transaction_version_created))
    .toEqual(['1002', '17'])
  chain.add(inventTransaction({ coins: [old] }))
  await server.untilCovered(chain.head(), '/aptos/testnet')
  expect(byHash(await server.walk(9, '/aptos/testnet')).get(old.type)).toMatchObject({
    name: 'Old',
    decimals: 6,
    transaction_version_created: '17',
  })
})

let unread: TestDatabase
beforeAll(async () => {
  unread = await createTestDatabase()
})
afterAll(() => unread.drop())

test.each([
  ['{"coin_type":"u8"}', 'line 1: coin_type is'],
  [`${JSON.stringify(record('0xa::b::C', 1))}\n{"coin_type":`, 'line 2: no JSON'],
  [JSON.stringify({ ...record('0xa::b::C', 1), coin_type_hash: 'ab' }), 'coin_type_hash is'],
  [JSON.stringify({ ...record('0xa::b::C', 1), creator_address: '0xb' }), 'creator_address is'],
  [JSON.stringify({ ...record('0xa::b::C', 1), decimals: 256 }), 'decimals is 256'],
  [
    JSON.stringify({ ...record('0xa::b::C', 1), transaction_created_timestamp: 'now' }),
    'transaction_created_timestamp is',
  ],
  [
    JSON.stringify({ ...record('0xa::b::C', 1), transaction_created_timestamp: '1969-12-31T23:59:59.5Z' }),
    'allowed: a time in UTC since 1970',
  ],
  ['coin_type,decimals\n"0xa::b::C', 'no CSV file'],
])('error: a file that is none stops with its line (%#)', async (text, message) => {
  const file = join(await temporaryFolder(), 'coins')
  await writeFile(file, text)
  const { code, err } = await runImport(unread.url, file)
  expect(code).toBe(1)
  expect(err).toContain(message)
  expect(err.trim().split('\n')).toHaveLength(1)
})
