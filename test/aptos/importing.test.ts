// @module-tag system

import { execFile, spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text as streamText } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readRecords } from '../../src/cli/input/readCoinFile.ts'
import { coinTypeHash } from '../../src/coin/decode/coin.ts'
import { commandEnv } from '../commandEnv.ts'
import { runCommand } from '../commandLine.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { builtProgram } from '../program.ts'
import { createRandom, freshSeed } from '../random.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { createAptosChain } from './aptosChain.ts'
import { type CoinTruth, makeCoins } from './coinActivity.ts'
import { type CoinRecord, expectCoins, startCoinServer } from './coinServer.ts'
import { startFakeFullnode } from './fakeFullnode.ts'
import { record, runImport } from './importFile.ts'
import { inventTransaction } from './inventedTransaction.ts'

const random = createRandom(freshSeed())
process.stdout.write(`seed ${random.seed}\n`)

function csvOf(records: readonly Record<string, unknown>[]): string {
  const names = Object.keys(records[0]!)
  const cell = (value: unknown) => (value === null ? '' : `"${String(value).replaceAll('"', '""')}"`)
  return [names.join(), ...records.map((one) => names.map((name) => cell(one[name])).join())].join('\r\n')
}

const byHash = (records: readonly CoinRecord[]) => new Map(records.map((one) => [one.coin_type, one]))

test('default: imported coins are listed immediately, and the chain overrides them for the versions that it reads', async () => {
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
  const ahead = await startFakeFullnode({ chain, reportedHead: () => '6000' })
  // This server has no network, so it reads nothing.
  await using idle = await startCoinServer({})
  const target = { url: idle.database.url, node: ahead.url }
  const first = JSON.parse((await runImport(target, csv)).out)
  expect(first).toEqual({ network: 'mainnet', read: records.length, added: records.length, replaced: 0 })
  const again = JSON.parse((await runImport(target, json)).out)
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
  // Data that was read from the chain takes precedence over a file.
  const late = JSON.parse((await runImport(target, csv)).out)
  expect(late.added).toBe(1)
})

test('behavior: when reading starts at a later version, imported coins stay unchanged after the chain writes them again', async () => {
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
  // A file can also be imported after reading.
  expect((await runImport({ url: server.database.url, node: node.url, network: 'testnet' }, file)).code).toBe(0)
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

/** Starts a node of a chain with ten versions. */
function startNode() {
  const chain = createAptosChain({ chainId: 1 })
  for (let version = 0; version < 10; version++) chain.add(inventTransaction({}))
  return startFakeFullnode({ chain })
}

const one = record('0xa::b::C', 1)
const two = { ...record('0xa::b::D', 2), name: 'a "quoted" \\ [name] with } and {' }

test.each([
  ['an array in lines, as a tool prints it', JSON.stringify([one, two], null, 2)],
  ['an array in one line', `\uFEFF ${JSON.stringify([one, two])}\n`],
  ['objects over several lines', `${JSON.stringify(one, null, 2)}\n${JSON.stringify(two, null, 2)}\n`],
  ['an answer of /coins/latest', JSON.stringify({ cursor: null, hasNextPage: false, result: [one, two] })],
])('behavior: reads %s', async (_, text) => {
  const node = await startNode()
  const { db, url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const file = join(await temporaryFolder(), 'coins')
  await writeFile(file, text)
  expect(JSON.parse((await runImport({ url, node: node.url }, file)).out)).toMatchObject({ read: 2, added: 2 })
  const rows = await db.rows<[string]>('SELECT record FROM coin ORDER BY version')
  expect(rows.map(([text]) => JSON.parse(text).name)).toEqual([one.name, two.name.slice(0, 32)])
})

test('error: a source of another chain than the stored one cannot confirm how far the stored chain is', async () => {
  const node = await startNode()
  const { db, url, drop } = await createTestDatabase()
  onTestFinished(drop)
  await db.run(`INSERT INTO coin_network (name, chain_id, head_version) VALUES ('mainnet', 2, 5)`)
  const file = join(await temporaryFolder(), 'coins')
  await writeFile(file, `${JSON.stringify(record('0xa::b::C', 5))}\n${JSON.stringify(record('0xa::b::D', 6))}`)
  const { code, err } = await runImport({ url, node: node.url }, file)
  expect(code).toBe(1)
  expect(err).toMatch(/line 2: whether mainnet has version 6 .* serves chain 1, but mainnet is chain 2/)
})

test.skipIf(process.platform === 'win32')('behavior: imports from a pipe and from standard input', async () => {
  const node = await startNode()
  const folder = await temporaryFolder()
  const pipe = join(folder, 'pipe')
  const config = join(folder, 'config.json')
  await promisify(execFile)('mkfifo', [pipe])
  await writeFile(join(folder, 'coins'), `${JSON.stringify(one)}\n${JSON.stringify(two)}\n`)
  // A separate process, because opening a pipe blocks until its other end opens.
  const writer = spawn('sh', ['-c', 'cat coins > pipe'], { cwd: folder })
  onTestFinished(() => void writer.kill())
  const imported = await runImport({ url: unread.url, node: node.url }, pipe)
  expect(JSON.parse(imported.out)).toMatchObject({ read: 2 })
  await writeFile(config, JSON.stringify({ aptos: { mainnet: { rest: node.url } } }))
  const args = ['coins', 'import', '-', '--database-url', unread.url, '--config', config, '--json']
  const child = spawn(process.execPath, [await builtProgram(), ...args], {
    env: commandEnv,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify([one, two]))
  expect(JSON.parse(await streamText(child.stdout))).toMatchObject({ read: 2, added: 0 })
})

test.each([
  ['JSON', '{"coin_type":"'],
  ['an array', '[{"coin_type":"'],
  ['CSV', 'coin_type,decimals\n"'],
])('error: a line of 600 MB of %s fails with a one-line error and bounded memory', async (_, start) => {
  const part = Buffer.alloc(1_048_576, 'a')
  let given = 0
  async function* endless() {
    yield Buffer.from(start)
    for (; given < 600; given++) yield part
  }
  const before = process.memoryUsage().rss
  const records = readRecords('endless', Readable.from(endless()))
  await expect(records.next()).rejects.toThrow(/^endless, line [12]: a record of more than 1048576 bytes$/)
  expect(given).toBeLessThan(20)
  expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000)
})

test.each([
  ['mainnet', {}, /there is no network "mainnet"\. Add it to the configuration under aptos/],
  ['tesnet', { testnet: {} }, /there is no network "tesnet"; available: testnet/],
  ['No Name', { testnet: {} }, /there is no network "No Name"/],
  ['toString', { testnet: {} }, /there is no network "toString"/],
])('error: rejects a network that is not configured: %s', async (network, configured, message) => {
  const node = await startNode()
  const folder = await temporaryFolder()
  const [file, config] = [join(folder, 'coins'), join(folder, 'config.json')]
  await writeFile(file, JSON.stringify(one))
  const aptos = Object.fromEntries(Object.keys(configured).map((name) => [name, { rest: node.url }]))
  await writeFile(config, JSON.stringify({ aptos }))
  const options = ['--database-url', unread.url, '--config', config, '--network', network]
  const { code, err } = await runCommand(['coins', 'import', file, ...options])
  expect(code).toBe(1)
  expect(err).toMatch(message)
  expect(
    await unread.db.rows('SELECT 1 FROM coin_network WHERE name = $1', [network === 'mainnet' ? '' : network]),
  ).toEqual([])
})

test.each([
  ['{"coin_type":"u8"}', 'line 1: coin_type is'],
  [
    `${JSON.stringify(one)}\n${JSON.stringify(record('0xa::b::C', 11))}`,
    'line 2: transaction_version_created is 11, but the head',
  ],
  [csvOf([one, { ...two, transaction_created_timestamp: '2022-02-30T00:00:00Z' }]), 'transaction_created_timestamp is'],
  [
    JSON.stringify({ ...one, transaction_created_timestamp: '2022-02-28T24:00:00Z' }),
    'transaction_created_timestamp is',
  ],
  [csvOf([{ ...one, decimals: '0x10' }]), 'line 2: decimals is "0x10"'],
  [JSON.stringify({ ...one, decimals: '1e2' }), 'decimals is "1e2"'],
  [JSON.stringify([one, { ...two, decimals: ' 6' }], null, 1), 'line 12: decimals is " 6"'],
  ['[{"coin_type":"u8"}', 'line 1: coin_type is'],
  [`[${JSON.stringify(one)}`, 'line 1: not JSON'],
  [`${JSON.stringify(one)}\nand so on`, 'line 2: not JSON'],
  [`[${JSON.stringify(one)}]\n[`, 'line 2: not JSON'],
  ['{"coin_type" 1}', 'line 1: not JSON'],
  ['{"result":[1]}', 'line 1: result contains something that is not an object'],
  [`${JSON.stringify(record('0xa::b::C', 1))}\n{"coin_type":`, 'line 2: not JSON'],
  [JSON.stringify({ ...record('0xa::b::C', 1), coin_type_hash: 'ab' }), 'coin_type_hash is'],
  [JSON.stringify({ ...record('0xa::b::C', 1), creator_address: '0xb' }), 'creator_address is'],
  [JSON.stringify(record('0xa', 1)), 'creator_address is missing; allowed: the address of the owner'],
  [
    JSON.stringify({ ...record('0xa', 1), creator_address: '0xb', paired_coin_type: 'u8' }),
    'paired_coin_type is "u8"; allowed: a type',
  ],
  [JSON.stringify({ ...record('0xa::b::C', 1), decimals: 256 }), 'decimals is 256'],
  [
    JSON.stringify({ ...record('0xa::b::C', 1), transaction_created_timestamp: 'now' }),
    'transaction_created_timestamp is',
  ],
  [
    JSON.stringify({ ...record('0xa::b::C', 1), transaction_created_timestamp: '1969-12-31T23:59:59.5Z' }),
    'allowed: a time in UTC since 1970',
  ],
  ['coin_type,decimals\n"0xa::b::C', 'line 2: not a CSV file with'],
  ['<!doctype html><title>502 Bad Gateway</title>', 'is neither JSON nor CSV: its first line has no field coin_type'],
  [gzipSync('coin_type,decimals\n'), 'is compressed: unpack it first'],
  [Buffer.of(0x00, 0x99, 0x22, 0xff, 0x22, 0x07, 0x0a, 0x80), 'line 1: not a CSV file'],
])('error: importing an invalid file stops with its line number (%#)', async (text, message) => {
  const file = join(await temporaryFolder(), 'coins')
  await writeFile(file, text)
  const node = await startNode()
  const { code, err } = await runImport({ url: unread.url, node: node.url }, file)
  expect(code).toBe(1)
  expect(err).toContain(message)
  expect(err.trim().split('\n')).toHaveLength(1)
  expect(err).not.toContain('\ufffd')
})
