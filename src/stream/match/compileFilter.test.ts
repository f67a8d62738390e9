import {
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  keccak256,
  parseAbi,
  parseAbiParameters,
  stringToBytes,
} from 'viem'
import { expect, test } from 'vitest'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import { BadRequestError } from '../../util/errors.ts'
import { compileFilter } from './compileFilter.ts'
import { eventShapes } from './eventShape.ts'

const abi = parseAbi([
  'event Sold(address indexed seller, uint256 indexed id, string indexed market, int128 delta, bool fresh, bytes4 kind, string name, uint256[2] pair, address buyer, bytes blob)',
])
const seller = '0x00000000000000000000000000000000000000aa'
const buyer = '0x00000000000000000000000000000000000000bb'
const contract = '0x00000000000000000000000000000000000000cc'

const log: RpcLog = {
  address: contract,
  topics: encodeEventTopics({ abi, args: { seller, id: 2n ** 200n, market: 'open sea' } }) as Hex[],
  data: encodeAbiParameters(parseAbiParameters('int128, bool, bytes4, string, uint256[2], address, bytes'), [
    -5n,
    true,
    '0xdeadbeef',
    'Ünï',
    [1n, 2n],
    buyer,
    '0xabcd',
  ]),
  blockNumber: '0x1',
  blockHash: `0x${'1'.repeat(64)}`,
  transactionHash: `0x${'2'.repeat(64)}`,
  transactionIndex: '0x0',
  logIndex: '0x0',
}

const [shape] = eventShapes(abi)
const passes = (filter: unknown, of = log) =>
  compileFilter({ filter, shape: shape!, chainId: '0x7a69', at: 'filter' })(of)

const id = String(2n ** 200n)
test.each([
  [{ eq: ['seller', seller] }, true],
  [{ eq: ['seller', seller.toUpperCase().replace('0X', '0x')] }, true],
  [{ eq: ['seller', buyer] }, false],
  [{ ne: ['seller', buyer] }, true],
  [{ ne: ['seller', seller] }, false],
  [{ eq: ['buyer', buyer] }, true],
  [{ eq: ['id', id] }, true],
  [{ eq: ['id', `0x1${'0'.repeat(50)}`] }, true],
  [{ lt: ['id', id] }, false],
  [{ lte: ['id', id] }, true],
  [{ gt: ['id', id] }, false],
  [{ gte: ['id', id] }, true],
  [{ gt: ['id', '1'] }, true],
  [{ lt: ['delta', '0'] }, true],
  [{ eq: ['delta', '-5'] }, true],
  [{ gte: ['delta', -4] }, false],
  [{ eq: ['fresh', true] }, true],
  [{ eq: ['fresh', 'false'] }, false],
  [{ eq: ['kind', '0xDEADBEEF'] }, true],
  [{ in: ['kind', ['0x00000000', '0xdeadbeef']] }, true],
  [{ eq: ['name', 'Ünï'] }, true],
  [{ nin: ['name', ['x', 'Ünï']] }, false],
  [{ nin: ['name', ['x']] }, true],
  [{ eq: ['market', 'open sea'] }, true],
  [{ eq: ['market', keccak256(stringToBytes('open sea'))] }, true],
  [{ eq: ['market', 'closed sea'] }, false],
  [{ eq: ['blob', '0xABCD'] }, true],
  [{ eq: ['pair', '["1","2"]'] }, true],
  [{ eq: ['moralis_streams_contract_address', contract] }, true],
  [{ eq: ['moralis_streams_chain_id', '0x7a69'] }, true],
  [{ in: ['moralis_streams_chain_id', ['0x1', '0x89']] }, false],
  [{ gt: ['moralis_streams_chain_id', '31336'] }, true],
  [{ lte: ['moralis_streams_chain_id', '31336'] }, false],
  [{ and: [{ eq: ['seller', seller] }, { lt: ['delta', '0'] }] }, true],
  [{ and: [{ eq: ['seller', seller] }, { gt: ['delta', '0'] }] }, false],
  [{ or: [{ eq: ['seller', buyer] }, { and: [{ gt: ['id', '5'] }, { ne: ['fresh', false] }] }] }, true],
  [{ or: [{ eq: ['seller', buyer] }, { gt: ['delta', '5'] }] }, false],
])('default: filter %j evaluates to %s', (filter, expected) => {
  expect(passes(filter)).toBe(expected)
})

test('behavior: a log whose data does not fit the ABI passes no comparison on the data, and nothing throws', () => {
  const short = { ...log, data: '0x' as Hex }
  expect(passes({ eq: ['delta', '0'] }, short)).toBe(false)
  expect(passes({ gte: ['delta', '-99'] }, short)).toBe(false)
  expect(passes({ eq: ['name', ''] }, short)).toBe(false)
  expect(passes({ ne: ['delta', '1'] }, short)).toBe(false)
  expect(passes({ nin: ['name', ['x']] }, short)).toBe(false)
})

test.each([
  [{}, /0 operators/],
  [{ eq: ['id', '1'], ne: ['id', '2'] }, /2 operators/],
  [{ and: [{ eq: ['id', '1'] }] }, /^filter\.and is not a list of two parts/],
  [{ or: [{ eq: ['id', '1'] }, { foo: 1 }] }, /^filter\.or\[1\] has the unknown operator foo/],
  [{ constructor: ['id', '1'] }, /unknown operator constructor/],
  [{ eq: ['nobody', '1'] }, /uses nobody.*allowed: seller, id/],
  [
    { eq: ['moralis_streams_possibleSpam', 'false'] },
    /^filter\.eq uses moralis_streams_possibleSpam, which this server does not support in filters, .*; allowed: seller, .*chain_id$/,
  ],
  [{ gt: ['seller', '1'] }, /compares the size of an argument that is not a number/],
  [{ eq: ['id', 'many'] }, /not a whole number/],
  [{ eq: ['id', 1.5] }, /not a whole number/],
  [{ eq: ['seller', '0x12'] }, /not an address/],
  [{ in: ['id', '1'] }, /no list as its value/],
  [{ eq: ['id'] }, /not \[name, value\]/],
  [[], /not an object/],
])('error: rejects filter %j', (filter, message) => {
  expect(() => passes(filter)).toThrow(BadRequestError)
  expect(() => passes(filter)).toThrow(message)
})

test('error: rejects a filter that is nested too deeply', () => {
  let filter: unknown = { eq: ['id', '1'] }
  for (let i = 0; i < 20; i++) filter = { and: [filter, { eq: ['id', '1'] }] }
  expect(() => passes(filter)).toThrow(/too deep; allowed: at most 16 levels/)
})
