import {
  type AbiEvent,
  encodeAbiParameters,
  type Hex,
  keccak256,
  parseAbi,
  parseAbiItem,
  stringToBytes,
  toEventSelector,
} from 'viem'
import { expect, test } from 'vitest'
import { logOf, passes } from '../../../test/stream/filterLog.ts'
import { eventShapes } from './eventShape.ts'

test('behavior: filters read arguments after a fixed-length array or a tuple, as in events of Curve', () => {
  const [event] = parseAbi([
    'event AddLiquidity(address indexed provider, uint256[2] token_amounts, uint256[2] fees, uint256 invariant, uint256 token_supply)',
  ])
  const pair = [1n, 2n] as const
  const log = logOf(
    [toEventSelector(event), `0x${'00'.repeat(12)}${'aa'.repeat(20)}`],
    encodeAbiParameters(event.inputs.slice(1), [pair, pair, 3n, 7n]),
  )
  expect(passes(event, log, { eq: ['token_supply', '7'] })).toBe(true)
  expect(passes(event, log, { ne: ['token_supply', '7'] })).toBe(false)
  expect(passes(event, log, { nin: ['token_supply', ['7']] })).toBe(false)
  expect(passes(event, log, { gte: ['token_supply', '7'] })).toBe(true)
  expect(passes(event, log, { eq: ['token_amounts', ['1', 2]] })).toBe(true)
})

test('behavior: a list of one empty string is not an empty list', () => {
  const [event] = parseAbi(['event E(string[] names)'])
  const logWith = (names: string[]) => logOf([toEventSelector(event)], encodeAbiParameters(event.inputs, [names]))
  for (const names of [[], [''], ['', '']]) {
    const passing = [[], [''], ['', '']].filter((value) => passes(event, logWith(names), { eq: ['names', value] }))
    expect(passing).toEqual([names])
  }
})

test('behavior: an indexed list or tuple is compared by its hash, as Solidity 0.8 encodes these topics', () => {
  const [first, second] = parseAbi([
    'event E(uint256[2] indexed pair, string[] indexed names, S indexed order)',
    'event F(uint8[][2] indexed grid, bytes4[] indexed kinds, function indexed callback)',
    'struct S { address who; string name; uint8[] small; }',
  ])
  const ofFirst = logOf(
    [
      '0x0c803070cacd18fbe1defc4077f9a880785bd8cd4dde78cbbca274801c4babca',
      '0x9d3f4b35d3a7dca202fde247a7a06c78d8c5fd77130c593212f65d004b29c60a',
      '0x83320836e048d245b959451b82406b02d82d509b84e16966e0703a8bc5b31fa3',
      '0x991b05484537df5578966a6b6dd7149d4dff8776674a3134081cf228db93a589',
    ],
    '0x',
  )
  const ofSecond = logOf(
    [
      '0xafe4eb89734bd320ff3b6383de4928259b117e1b5d0a681ce02e933e34a424f3',
      '0x9102ae472d835b42a492e4f9204aefb258f981a6c0d36ad97e056d4c6ae6b6a1',
      '0x10d1d7cbb06a29b1ee7e1f7f37e7ea0b1f460d29077feacf2d1f5886e2ba233d',
      '0x00000000000000000000000000000000000000bb26121ff00000000000000000',
    ],
    '0x',
  )
  expect(eventShapes([first, second]).map(({ topic0 }) => topic0)).toEqual([ofFirst.topics[0], ofSecond.topics[0]])
  const pair = ['1', String(2n ** 256n - 1n)]
  const pairBytes = `0x${'1'.padStart(64, '0')}${'F'.repeat(64)}`
  const who = '0x00000000000000000000000000000000000000AA'
  for (const value of [pair, JSON.stringify(pair), pairBytes, ofFirst.topics[1]!.toUpperCase().replace('0X', '0x')])
    expect(passes(first, ofFirst, { eq: ['pair', value] })).toBe(true)
  expect(passes(first, ofFirst, { eq: ['pair', ['1', '1']] })).toBe(false)
  const names = ['open sea', 'a text that is longer than one word of the ABI']
  expect(passes(first, ofFirst, { eq: ['names', names] })).toBe(true)
  expect(passes(first, ofFirst, { ne: ['names', names.toReversed()] })).toBe(true)
  expect(passes(first, ofFirst, { in: ['order', [{ name: 'lot', small: [1, 255], who }]] })).toBe(true)
  expect(passes(first, ofFirst, { eq: ['order', [who, 'lot', [1, 254]]] })).toBe(false)
  expect(passes(second, ofSecond, { eq: ['grid', [[1, 255], [7]]] })).toBe(true)
  expect(passes(second, ofSecond, { eq: ['kinds', ['0xDEADBEEF']] })).toBe(true)
  const callback = `0x${'00'.repeat(19)}BB26121FF0`
  expect(passes(second, ofSecond, { eq: ['callback', callback] })).toBe(true)
  expect(passes(second, ofSecond, { ne: ['callback', callback] })).toBe(false)
})

test('behavior: a 32-byte filter value for indexed bytes or string matches as the hash or as the hashed value', () => {
  const [event] = parseAbi(['event E(bytes indexed blob, string indexed name)'])
  const bytes: Hex = `0x${'ab'.repeat(32)}`
  const log = logOf([toEventSelector(event), keccak256(bytes), keccak256(stringToBytes(bytes))], '0x')
  for (const value of [bytes, keccak256(bytes)]) expect(passes(event, log, { eq: ['blob', value] })).toBe(true)
  for (const value of [bytes, keccak256(stringToBytes(bytes))]) {
    expect(passes(event, log, { in: ['name', ['x', value]] })).toBe(true)
    expect(passes(event, log, { ne: ['name', value] })).toBe(false)
  }
})

test('behavior: decimal numbers and functions in the data each take one word', () => {
  const inputs = ['fixed168x10 price', 'function callback', 'ufixed8x1 rate', 'uint256 last'].map((text) => {
    const [type, name] = text.split(' ')
    return { type, name }
  })
  const event = { type: 'event', name: 'E', inputs } as unknown as AbiEvent
  const callback: Hex = `0x${'cd'.repeat(24)}`
  const log = logOf(
    [],
    encodeAbiParameters(
      ['int256', 'bytes24', 'uint256', 'uint256'].map((type) => ({ type })),
      [-15_000_000_000n, callback, 255n, 9n],
    ),
  )
  for (const filter of [
    ...[{ eq: ['price', '-1.5'] }, { eq: ['price', -1.5] }, { lt: ['price', '-1.4999999999'] }],
    ...[{ gt: ['price', '-1.5000000001'] }, { eq: ['callback', callback] }, { eq: ['rate', '25.5'] }],
    ...[{ gte: ['rate', '25.5'] }, { eq: ['last', '9'] }],
  ])
    expect([filter, passes(event, log, filter)]).toEqual([filter, true])
  expect(() => passes(event, log, { eq: ['rate', '25.6'] })).toThrow(
    /has the value 25.6, which no ufixed8x1 can be; allowed: 0 to 255, each divided by 10\^1/,
  )
  expect(() => passes(event, log, { eq: ['rate', '1.25'] })).toThrow(/no ufixed8x1; .*at most 1 decimals/)
})

test('behavior: reads a value nested in many tuples with one component', () => {
  const depth = 8
  const event = parseAbiItem(`event E(${'('.repeat(depth)}uint256${')'.repeat(depth)}[] a)`) as AbiEvent
  const value = (n: number) => JSON.parse(`${'['.repeat(depth)}${n}${']'.repeat(depth)}`) as unknown
  const words = [32, 2, 7, 8].map((n) => n.toString(16).padStart(64, '0'))
  const log = logOf([toEventSelector(event)], `0x${words.join('')}`)
  expect(passes(event, log, { eq: ['a', [value(7), value(8)]] })).toBe(true)
  expect(passes(event, log, { ne: ['a', [value(7), value(9)]] })).toBe(true)
})

test('behavior: bits of a word outside the value are ignored, alone and in a tuple', () => {
  const types = ['uint8', 'int8', 'bool', 'address', 'bytes4']
  const ones = 'f'.repeat(64)
  const written = [`${ones.slice(2)}05`, `${'0'.repeat(62)}fe`, '2'.padStart(64, '0'), ones, ones]
  const values = ['5', '-2', true, `0x${'ff'.repeat(20)}`, '0xffffffff']
  const alone = parseAbiItem(`event E(${types.map((type, i) => `${type} a${i}`).join(', ')})`) as AbiEvent
  const log = logOf([toEventSelector(alone)], `0x${written.join('')}`)
  for (const [i, value] of values.entries())
    expect([i, passes(alone, log, { eq: [`a${i}`, value] }), passes(alone, log, { ne: [`a${i}`, value] })]).toEqual([
      i,
      true,
      false,
    ])
  const tuple = parseAbiItem(`event F((${types.join(', ')}) a)`) as AbiEvent
  expect(passes(tuple, log, { eq: ['a', values] })).toBe(true)
  expect(passes(tuple, log, { ne: ['a', values] })).toBe(false)
})

test.each([
  ['uint256[2]', ['1'], /no uint256\[2\]; allowed: a list of 2 values/],
  ['uint256[2]', '[1,', /no uint256\[2\]; allowed: a list of 2 values/],
  ['uint256[2]', { 0: '1', 1: '2' }, /no uint256\[2\]/],
  ['uint8[]', [256], /has the value 256, which no uint8 can be; allowed: 0 to 255/],
  // JSON parsing has already rounded this number.
  ['uint256[]', '[9007199254740993]', /not a whole number; allowed: decimal digits as text/],
  ['bool[]', ['yes'], /not a boolean/],
  ['(address who, uint8 n)', { who: '0x12', n: 1 }, /not an address/],
  [
    '(address who, uint8 n)',
    { who: `0x${'00'.repeat(20)}` },
    /no \(address,uint8\); allowed: a list of 2 values, or an object of who, n/,
  ],
  ['(address, uint8)', { who: '0x12', n: 1 }, /no \(address,uint8\); allowed: a list of 2 values$/],
])('error: rejects a value that is not a valid %s: %j', (type, value, message) => {
  const event = parseAbiItem(`event E(${type} a)`) as AbiEvent
  expect(() => passes(event, logOf([], '0x'), { eq: ['a', value] })).toThrow(message)
})

test('behavior: data whose offsets repeat the same words fits no type, and reading stops early', () => {
  const depth = 12
  const event = parseAbiItem(`event E(uint256${'[]'.repeat(depth)} deep, uint256 flat)`) as AbiEvent
  const words = [64n, 5n]
  // Each list has thirty items, and each item refers to the next list.
  for (let i = 0; i < depth; i++) words.push(30n, ...Array(30).fill(30n * 32n))
  const data: Hex = `0x${words.map((word) => word.toString(16).padStart(64, '0')).join('')}`
  const log = logOf([toEventSelector(event)], data)
  expect(passes(event, log, { ne: ['deep', []] })).toBe(false)
  expect(passes(event, log, { eq: ['flat', '5'] })).toBe(true)
  const empty = { type: 'event', name: 'E', inputs: [{ name: 'a', type: 'tuple[]', components: [] }] }
  const endless = logOf([], `0x${'20'.padStart(64, '0')}${'40'.padStart(64, '0')}`)
  expect(passes(empty as unknown as AbiEvent, endless, { ne: ['a', []] })).toBe(false)
})

test.each([
  ['an offset behind the data', ['ff']],
  ['an offset of 2^255', [`8${'0'.repeat(63)}`]],
  ['a length beyond the data', ['20', '21', 'ab']],
  ['no data', []],
])('behavior: data with %s passes no comparison', (_, words) => {
  const [event] = parseAbi(['event E(string name)'])
  const log = logOf([toEventSelector(event)], `0x${words.map((word) => word.padStart(64, '0')).join('')}`)
  for (const filter of [{ eq: ['name', ''] }, { ne: ['name', 'x'] }, { nin: ['name', ['x']] }, { in: ['name', ['']] }])
    expect(passes(event, log, filter)).toBe(false)
})
