import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeMessage } from '../../../test/aptos/encodeMessage.ts'
import { type InventedChange, inventTransaction } from '../../../test/aptos/inventedTransaction.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import { seedLease, seedWorker } from '../../../test/seedLease.ts'
import { createTransactionsDecoder } from '../../chain/aptos/decodeTransactions.ts'
import { parseRestTransaction } from '../../chain/aptos/parseRest.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { createCoinRuns } from '../coinRuns.ts'
import { type CommitOptions, commitVersions } from '../commitVersions.ts'
import type { Network } from '../createNetwork.ts'
import { openNetwork } from '../networkStore.ts'
import { createCoinQuery } from '../pages/createCoinQuery.ts'
import { decodeCoins, wantedChanges } from './decodeCoins.ts'

const good = { name: 'Good', symbol: 'G', decimals: 8, icon_uri: '', project_uri: '' }
const owner = { owner: '0xb' }
const at = (write: string, data: unknown, address = '0xa'): InventedChange => ({ write, address, data })
const metadata = (data: object) => at('0x1::fungible_asset::Metadata', { ...good, ...data })
const object = at('0x1::object::ObjectCore', owner)
const concurrent = (value: unknown, most: unknown = '9') =>
  at('0x1::fungible_asset::ConcurrentSupply', { current: { value, max_value: most } })
const plain = (current: unknown, maximum: unknown = { vec: [] }) =>
  at('0x1::fungible_asset::Supply', { current, maximum })
const paired = (type: unknown) => at('0x1::coin::PairedCoinType', { type })
const hex = (text: string) => `0x${Buffer.from(text).toString('hex')}`

/** Decodes the changes from both kinds of nodes and expects the same results. */
function decode(changes: readonly InventedChange[]) {
  const { rest, proto } = inventTransaction({ changes })
  const parsed = parseRestTransaction({ ...rest, version: '7' }, wantedChanges)
  const [streamed] = createTransactionsDecoder(wantedChanges)(encodeMessage([{ ...proto, version: '7' }])).transactions
  expect(streamed).toEqual(parsed)
  const skipped: string[] = []
  const { coins, states } = decodeCoins([parsed], ({ type }) => skipped.push(type))
  return { coin: coins[0], state: states[0], coins, states, skipped }
}

test.each([
  ['a name with U+0000', [metadata({ name: 'a\u0000b' }), object], { name: 'a\u0000b' }],
  ['a megabyte of name', [metadata({ name: 'é'.repeat(500_000) }), object], { name: 'é'.repeat(16) }],
  ['a symbol of 40 bytes', [metadata({ symbol: '€'.repeat(20) }), object], { symbol: '€'.repeat(10) }],
  [
    'a megabyte of URI',
    [metadata({ icon_uri: 'x'.repeat(1_000_000) }), object],
    { asset: { iconUri: 'x'.repeat(512) } },
  ],
  [
    'URIs that are no texts',
    [metadata({ icon_uri: 7, project_uri: {} }), object],
    { asset: { iconUri: null, projectUri: null } },
  ],
  ['no supply', [metadata({}), object], {}],
  [
    'an address of 3 digits',
    [metadata({}), object],
    { type: `0x${'a'.padStart(64, '0')}`, creator: 'b'.padStart(64, '0') },
  ],
])('behavior: decodes an asset with %s without an error', (_, changes, expected) => {
  const { coin, state, skipped } = decode(changes)
  expect(coin).toMatchObject(expected)
  expect(state).toMatchObject({ supply: null, maximum: null, deleted: false })
  expect(skipped).toEqual([])
})

test.each([
  ['a negative supply', concurrent('-1'), '0x1::fungible_asset::ConcurrentSupply'],
  ['a supply that is a number', plain(7), '0x1::fungible_asset::Supply'],
  ['a supply above u128', plain(String(2n ** 128n)), '0x1::fungible_asset::Supply'],
  [
    'a supply without a value',
    at('0x1::fungible_asset::ConcurrentSupply', {}),
    '0x1::fungible_asset::ConcurrentSupply',
  ],
  ['a maximum that is none', plain('7', { vec: ['x'] }), '0x1::fungible_asset::Supply'],
  ['a supply that is not an object', at('0x1::fungible_asset::Supply', 'seven'), '0x1::fungible_asset::Supply'],
])('error: %s is counted as skipped, and the asset is kept', (_, supply, type) => {
  const { coin, state, skipped } = decode([metadata({}), object, supply])
  expect(coin).toMatchObject({ name: 'Good' })
  expect(state).toMatchObject({ decimals: 8, deleted: false })
  expect(skipped).toEqual([type])
})

test.each([
  ['nothing', undefined],
  ['a text', '0x1::a::B'],
  ['no address', { account_address: 'x', module_name: hex('a'), struct_name: hex('B') }],
  ['names that are not in hex', { account_address: '0x1', module_name: 'a', struct_name: 'B' }],
  ['an empty name', { account_address: '0x1', module_name: '0x', struct_name: hex('B') }],
  ['a name that is not UTF-8', { account_address: '0x1', module_name: '0xff', struct_name: hex('B') }],
  ['a name with U+0000', { account_address: '0x1', module_name: hex('a'), struct_name: hex('B\u0000') }],
])('error: a paired type that is %s is counted as skipped, and the asset has no paired coin', (_, type) => {
  const { coin, skipped } = decode([metadata({}), object, paired(type)])
  expect(coin).toMatchObject({ name: 'Good', asset: { pairedType: null } })
  expect(skipped).toEqual(['0x1::coin::PairedCoinType'])
})

test('behavior: a paired type is formatted as the chain prints it, with addresses without leading zeros', () => {
  const type = {
    account_address: '0x00AB',
    module_name: hex('m0x01'),
    struct_name: hex(`C<0x${'1'.padStart(64, '0')}::a::B>`),
  }
  expect(decode([metadata({}), object, paired(type)]).coin!.asset!.pairedType).toBe('0xab::m0x01::C<0x1::a::B>')
})

test.each([
  ['decimals above 255', [metadata({ decimals: 256 }), object], '0x1::fungible_asset::Metadata'],
  ['decimals that are a text', [metadata({ decimals: '8' }), object], '0x1::fungible_asset::Metadata'],
  ['a name that is not text', [metadata({ name: null }), object], '0x1::fungible_asset::Metadata'],
  ['metadata that is not an object', [at('0x1::fungible_asset::Metadata', 7), object], '0x1::fungible_asset::Metadata'],
  [
    'an owner that is not an address',
    [metadata({}), at('0x1::object::ObjectCore', { owner: 7 })],
    '0x1::object::ObjectCore: no owner',
  ],
  ['no object', [metadata({})], '0x1::object::ObjectCore: no owner'],
])('error: %s is counted as skipped, and creates no asset', (_, changes, type) => {
  const { coins, skipped } = decode(changes)
  expect(coins).toEqual([])
  expect(skipped).toEqual([type])
})

test('error: an invalid address is counted as skipped', () => {
  const { coins, states, skipped } = decode([at('0x1::fungible_asset::Metadata', good, 'x')])
  expect({ coins, states, skipped }).toEqual({
    coins: [],
    states: [],
    skipped: ['0x1::fungible_asset::Metadata: no address'],
  })
})

test('behavior: an object created and deleted in one transaction is stored as a deleted asset', () => {
  const removed: InventedChange = { remove: '0x1::object::ObjectGroup', address: '0xa' }
  for (const changes of [
    [metadata({}), object, concurrent('7'), removed],
    [removed, metadata({}), object],
  ]) {
    const { coin, state, states, skipped } = decode(changes)
    expect(coin).toMatchObject({ name: 'Good', version: 7n })
    expect(state).toMatchObject({ supply: null, maximum: null, deleted: true, decimals: 8 })
    expect(states).toHaveLength(1)
    expect(skipped).toEqual([])
  }
})

test('behavior: a supply written in another transaction than its metadata is still decoded', () => {
  const { coins, states } = decode([concurrent('7')])
  expect(coins).toEqual([])
  expect(states).toMatchObject([{ supply: 7n, maximum: 9n, decimals: null }])
})

let database: TestDatabase
let commit: CommitOptions
beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  const id = await openNetwork(db, 'mainnet', 0n)
  const worker = await seedWorker(db)
  await seedLease(db, 'aptos', id, worker)
  const network = { id, name: 'mainnet' } as Network
  commit = { network, db, metrics: createMetrics(), worker: () => worker, skipped: () => undefined }
})
afterAll(() => database.drop())

const odd = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e3',
    '340282366920938463463374607431768211456',
    '\u0000',
    '\ud800',
    255,
    256,
    -1,
    null,
  ),
  fc.constantFrom('0xa', '0x', '0xg', hex('m'), { vec: [] }, { vec: ['7'] }, { vec: [{}] }),
)
/** Null counts as missing data, which the parser rejects. */
const oddData = odd.filter((data) => data !== null)
const oddFields = (fields: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...fields), odd).map((data) => data as Record<string, unknown>)
const address = fc.oneof({ weight: 5, arbitrary: fc.constantFrom('0xa', '0xb', '0xc') }, fc.string({ minLength: 1 }))
const change: fc.Arbitrary<InventedChange> = fc.oneof(
  fc
    .tuple(address, oddFields(Object.keys(good)))
    .map(([where, data]) => at('0x1::fungible_asset::Metadata', { ...good, ...data }, where)),
  fc.tuple(address, oddData).map(([where, data]) => at('0x1::fungible_asset::Metadata', data, where)),
  fc
    .tuple(address, oddFields(['owner']))
    .map(([where, data]) => at('0x1::object::ObjectCore', { ...owner, ...data }, where)),
  address.map((where) => at('0x1::object::ObjectCore', owner, where)),
  fc
    .tuple(address, odd, odd)
    .map(([where, value, most]) =>
      at('0x1::fungible_asset::ConcurrentSupply', { current: { value, max_value: most } }, where),
    ),
  fc
    .tuple(address, odd, odd)
    .map(([where, current, maximum]) => at('0x1::fungible_asset::Supply', { current, maximum }, where)),
  fc
    .tuple(address, odd, odd, odd)
    .map(([where, account, module, struct]) =>
      at(
        '0x1::coin::PairedCoinType',
        { type: { account_address: account, module_name: module, struct_name: struct } },
        where,
      ),
    ),
  fc
    .tuple(fc.string(), oddFields(['name', 'symbol', 'decimals', 'supply']))
    .map(([type, data]) => at(`0x1::coin::CoinInfo<${type}>`, { ...good, ...data })),
  address.map((where): InventedChange => ({ remove: '0x1::object::ObjectGroup', address: where })),
)

test('error: for any written values, all valid assets are stored and shown, and reading continues', async () => {
  const query = createCoinQuery({ db: database.db })
  let version = 0n
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      const honest = `0x${(1_000n + version).toString(16)}`
      const all = [
        ...changes,
        at('0x1::fungible_asset::Metadata', good, honest),
        at('0x1::object::ObjectCore', owner, honest),
      ]
      const { rest, proto } = inventTransaction({ changes: all })
      const parsed = parseRestTransaction({ ...rest, version: String(version) }, wantedChanges)
      // A lone half of a surrogate pair is replaced where texts become bytes, so the two need not be the same here.
      const streamed = createTransactionsDecoder(wantedChanges)(encodeMessage([{ ...proto, version: String(version) }]))
      for (const transaction of [parsed, ...streamed.transactions]) {
        const { coins, states } = decodeCoins([{ ...transaction, version }], () => undefined)
        const runs = createCoinRuns()
        runs.add(states)
        const range = { from: version, to: version }
        const unique = [...new Map(coins.map((coin) => [coin.hash, coin])).values()]
        await commitVersions(commit, range, { coins: unique, runs: runs.runs(), head: version, live: true })
        version += 1n
      }
      const state = (await query.network('mainnet'))!
      expect(state.toVersion).toBe(version - 1n)
      const { records } = await query.latest({ state, after: null, offset: 0, limit: 100, standard: 'all' })
      const shown = records.map((record) => JSON.parse(record) as Record<string, unknown>)
      expect(shown.map((one) => one.coin_type)).toContain(`0x${honest.slice(2).padStart(64, '0')}`)
      for (const one of shown) {
        expect(one.decimals).toSatisfy((decimals: number) => decimals >= 0 && decimals <= 255)
        expect(Buffer.byteLength(String(one.name))).toBeLessThanOrEqual(32)
        expect(one.supply === null || /^\d+$/.test(String(one.supply))).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})
