import { expect, test } from 'vitest'
import { inventTransaction } from '../../../test/aptos/inventedTransaction.ts'
import {
  expectedCoins,
  genesis,
  publishedCoins,
  recordedMissing,
  recordedTransactions,
} from '../../../test/aptos/recorded.ts'
import { parseRestTransaction } from '../../chain/aptos/parseRest.ts'
import { renderRecord } from '../pages/record.ts'
import { type Coin, coinTypeHash, firstWrites } from './coin.ts'
import { decodeCoins, wantedChanges } from './decodeCoins.ts'
import { cutToBytes } from './moveValues.ts'

function decode(rest: object, onSkip: (skipped: object) => void = () => expect.fail('a coin was omitted')): Coin[] {
  return decodeCoins([parseRestTransaction({ version: '1', ...rest }, wantedChanges)], onSkip).coins
}

/** The coin as clients get it. */
const record = (coin: Coin): Record<string, unknown> => JSON.parse(renderRecord(coin))

test.skipIf(recordedMissing)('default: the recorded transactions decode to exactly the expected coins', () => {
  const all = [...recordedTransactions().map(({ rest }) => rest), genesis()]
  const coins = all.flatMap((rest) => decode(rest)).filter(({ asset }) => asset === null)
  const given = coins.map(record)
  const expected = expectedCoins().map(({ row }) => row)
  const byType = (a: Record<string, unknown>, b: Record<string, unknown>) =>
    String(a.coin_type) < String(b.coin_type) ? -1 : 1
  expect(given.toSorted(byType)).toEqual(expected.toSorted(byType))
})

test.skipIf(recordedMissing)('behavior: coin type hashes match the published ones', () => {
  const published = publishedCoins()
  expect(published).toHaveLength(8)
  for (const { coin_type, coin_type_hash } of published) expect(coinTypeHash(coin_type)).toBe(coin_type_hash)
})

test('behavior: the hash of AptosCoin matches the published one', () => {
  expect(coinTypeHash('0x1::aptos_coin::AptosCoin')).toBe(
    '91ceb1308a98389691e05158b07ed5f079ab78461a6bb8d5a4054b1bb5cb8bb6',
  )
})

test('behavior: a type with nested generics is one type, and its creator is its leading address', () => {
  const type = '0x5a97::lp::LP<0x8d::c::Usdt, 0x1::aptos_coin::AptosCoin, 0xb::w::Box<0xc::v::V>>'
  const [coin] = decode(inventTransaction({ coins: [{ type, name: 'LP', symbol: 'LP' }] }).rest)
  expect(coin).toMatchObject({ type, creator: '5a97'.padStart(64, '0'), hash: coinTypeHash(type) })
})

test('behavior: failed transactions and block metadata create no coin', () => {
  const coins = [{ type: '0xa::m::C', name: 'n', symbol: 's' }]
  expect(decode(inventTransaction({ coins, success: false }).rest)).toEqual([])
  expect(decode(inventTransaction({ coins, kind: 'block' }).rest)).toEqual([])
  expect(decode(inventTransaction({ coins, kind: 'genesis' }).rest)).toHaveLength(1)
})

test.each([
  [{ type: 'write_resource', data: { type: '0x1::coin::CoinInfo<0xa::m::C>', data: {} } }],
  [
    {
      type: 'write_resource',
      data: { type: '0x1::coin::CoinInfo<0xa::m::C>', data: { decimals: 256, name: '', symbol: '' } },
    },
  ],
  [
    {
      type: 'write_resource',
      data: { type: '0x1::coin::CoinInfo<0xa::m::C>', data: { decimals: 1, name: 2, symbol: '' } },
    },
  ],
  [{ type: 'write_resource', data: { type: '0x1::coin::CoinInfo<u8>', data: { decimals: 1, name: '', symbol: '' } } }],
  [
    {
      type: 'write_resource',
      data: { type: '0x1::coin::CoinInfo<0xa::m::\u0000>', data: { decimals: 1, name: '', symbol: '' } },
    },
  ],
  [
    {
      type: 'write_resource',
      data: { type: '0x1::coin::CoinInfo<0xa::m::C', data: { decimals: 1, name: '', symbol: '' } },
    },
  ],
])('error: an invalid coin change is skipped and reported: %j', (change) => {
  const skipped: object[] = []
  const changes = [{ address: '0xa', ...change }]
  const rest = { type: 'user_transaction', success: true, timestamp: '1', changes }
  expect(decode(rest, (one) => skipped.push(one))).toEqual([])
  expect(skipped).toHaveLength(1)
})

test('behavior: a name is cut to 32 bytes as on the chain, without splitting a character', () => {
  expect(cutToBytes('a'.repeat(32), 32)).toBe('a'.repeat(32))
  expect(cutToBytes('a'.repeat(33), 32)).toBe('a'.repeat(32))
  expect(cutToBytes(`${'a'.repeat(30)}€`, 32)).toBe('a'.repeat(30))
  expect(cutToBytes('😀'.repeat(9), 32)).toBe('😀'.repeat(8))
})

test('behavior: the first write of a coin is the one with the lowest version, in any order', () => {
  const at = (version: bigint, hash: string) => ({ version, hash }) as Coin
  const writes = [at(5n, 'a'), at(3n, 'a'), at(4n, 'a'), at(9n, 'b')]
  expect(firstWrites(writes)).toEqual([at(3n, 'a'), at(9n, 'b')])
})
