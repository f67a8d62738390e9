import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbi, parseAbiParameters, toEventSelector } from 'viem'
import { expect, test } from 'vitest'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import { BadRequestError } from '../../util/errors.ts'
import { definitionSchema } from '../streamDefinition.ts'
import { compileStream, judge } from './compileStream.ts'

const alice = '0x00000000000000000000000000000000000000aa'
const bob = '0x00000000000000000000000000000000000000bb'
const erc20 = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
const erc721 = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)'])
const transfer = 'Transfer(address,address,uint256)'

function compile(definition: Record<string, unknown>) {
  return compileStream({
    id: 'a',
    partition: 0,
    chainId: 1n,
    tag: '',
    definition: definitionSchema.parse({ includeContractLogs: true, ...definition }),
    fromBlock: 0n,
  })
}

function log(topics: readonly (Hex | Hex[] | null)[], data: Hex = '0x'): RpcLog {
  return {
    address: '0x00000000000000000000000000000000000000cc',
    topics: topics as Hex[],
    data,
    blockNumber: '0x1',
    blockHash: `0x${'1'.repeat(64)}`,
    transactionHash: `0x${'2'.repeat(64)}`,
    transactionIndex: '0x0',
    logIndex: '0x0',
  }
}

const ofCoins = (value: bigint) =>
  log(
    encodeEventTopics({ abi: erc20, args: { from: alice, to: bob } }),
    encodeAbiParameters(parseAbiParameters('uint256'), [value]),
  )
const ofToken = (tokenId: bigint) => log(encodeEventTopics({ abi: erc721, args: { from: alice, to: bob, tokenId } }))
const takes = (definition: Record<string, unknown>, ...logs: RpcLog[]) => {
  const stream = compile(definition)
  return logs.map((one) => judge(stream, one, 1) !== 'no')
}

test.each([
  transfer,
  'event Transfer(address from, address to, uint256 value)',
  '  Transfer ( address indexed from ,address indexed to,uint256 indexed tokenId ) ',
  'Transfer(address,address,uint)',
  'event Transfer(address payable from, address to, uint value);',
  'transfer(address,address,uint256)',
  toEventSelector(`event ${transfer}`),
  toEventSelector(`event ${transfer}`).toUpperCase().replace('0X', '0x'),
])('behavior: %s matches the Transfer of the ABI, whose indexed arguments decide', (text) => {
  expect(takes({ topic0: [text], abi: erc20 }, ofCoins(5n), ofToken(5n))).toEqual([true, false])
})

test.each([
  ['Swapped(tuple(address,uint)[] legs, bytes)', 'Swapped((address,uint256)[],bytes)'],
  ['Swapped( (address a, uint8[ 2 ] b) indexed legs , int c)', 'Swapped((address,uint8[2]),int256)'],
  ['Nothing()', 'Nothing()'],
  ['Done(byte,fixed,ufixed[])', 'Done(bytes1,fixed128x18,ufixed128x18[])'],
])('behavior: the event %s is read as %s', (text, canonical) => {
  expect(takes({ topic0: [text] }, log([toEventSelector(canonical)]))).toEqual([true])
})

test('behavior: ABI types are read in every form that compilers write', () => {
  const abi = [
    {
      type: 'event',
      name: 'Paid',
      inputs: [
        { name: 'legs', type: 'tuple[]', components: [{ name: 'a', type: 'uint' }, { type: 'int ' }] },
        { name: 'sum', type: 'uint', indexed: true },
      ],
    },
  ]
  const paid = log([toEventSelector('Paid((uint256,int256)[],uint256)'), `0x${'0'.repeat(63)}7`])
  const topic0 = 'Paid((uint,int)[],uint)'
  expect(takes({ topic0: [topic0], abi, advancedOptions: [{ topic0, filter: { eq: ['sum', '7'] } }] }, paid)).toEqual([
    true,
  ])
})

test('behavior: finds an event that the ABI spells in another case, by signature and by hash, including filters', () => {
  const lower = parseAbi(['event transfer(address indexed from, address indexed to, uint256 value)'])
  for (const topic0 of [transfer, toEventSelector(transfer)]) {
    const filter = { gt: ['value', '5'] }
    const definition = { topic0: [topic0], abi: lower, advancedOptions: [{ topic0, filter }] }
    expect(takes(definition, ofCoins(6n), ofCoins(5n), ofToken(6n))).toEqual([true, false, false])
  }
  const text = parseAbi(['event said(string words)'])
  const output = log([toEventSelector('Said(string)')], encodeAbiParameters(parseAbiParameters('string'), ['hello']))
  const filtered = { topic0: 'Said(string)', filter: { eq: ['words', 'hello'] } }
  expect(takes({ topic0: ['Said(string)'], abi: text, advancedOptions: [filtered] }, output)).toEqual([true])
})

const both = [...erc20, ...erc721]
test.each<[object, boolean[]]>([
  [{ gt: ['value', '5'] }, [true, false, false, false]],
  [{ eq: ['tokenId', '6'] }, [false, false, true, false]],
  [{ or: [{ gt: ['value', '5'] }, { lt: ['tokenId', '6'] }] }, [true, false, false, true]],
  [{ and: [{ gt: ['value', '5'] }, { gt: ['tokenId', '5'] }] }, [false, false, false, false]],
  [{ ne: ['value', '1'] }, [true, true, false, false]],
  [{ eq: ['from', alice] }, [true, true, true, true]],
])(
  'behavior: with two Transfer events in one ABI, %j is evaluated with the event that fits each log',
  (filter, expected) => {
    const definition = { topic0: [transfer], abi: both, advancedOptions: [{ topic0: transfer, filter }] }
    expect(takes(definition, ofCoins(6n), ofCoins(5n), ofToken(6n), ofToken(5n))).toEqual(expected)
  },
)

const odd = parseAbi(['event Odd(bytes4 indexed kind, uint8 small, int16 delta, uint256 big)'])
test.each<[object, RegExp]>([
  [{ eq: ['kind', `0x${'ab'.repeat(32)}`] }, /has a value of 32 bytes, which no bytes4 can be/],
  [{ in: ['kind', ['0xdead']] }, /2 bytes, which no bytes4/],
  [{ gt: ['big', '-1'] }, /the value -1, which no uint256 can be; allowed: 0 to/],
  [{ eq: ['small', 256] }, /the value 256, which no uint8/],
  [{ lt: ['delta', '-32769'] }, /which no int16 can be; allowed: -32768 to 32767/],
  [{ in: ['small', []] }, /an empty list/],
  [{ eq: ['nobody', '1'] }, /uses nobody.*allowed: kind, small, delta, big/],
])('error: rejects %j, which can never match', (filter, message) => {
  const topic0 = 'Odd(bytes4,uint8,int16,uint256)'
  const definition = { topic0: [topic0], abi: odd, advancedOptions: [{ topic0, filter }] }
  expect(() => compile(definition)).toThrow(BadRequestError)
  expect(() => compile(definition)).toThrow(message)
})

test.each<[string, unknown[], RegExp]>([
  ['Transfer(address,address,uint256) anonymous', [], /topic0\[0\] .*anonymous/],
  ['Hidden(uint256)', [{ ...parseAbi(['event Hidden(uint256 a)'])[0], anonymous: true }], /topic0\[0\] .*anonymous/],
  ['Transfer(adress,address,uint256)', [], /not an event/],
  ['Transfer(address,address,uint257)', [], /not an event/],
  ['Transfer(address,(address,uint256)', [], /not an event/],
  ['Approval(address,address,uint256)', erc20 as unknown as unknown[], /not an event of abi/],
  [
    'W(uint8,uint8,uint8,uint8)',
    [{ type: 'event', name: 'W', inputs: Array(4).fill({ type: 'uint8', indexed: true }) }],
    /4 indexed/,
  ],
])('error: rejects %s, which can have no logs', (topic0, abi, message) => {
  expect(() => compile({ topic0: [topic0], abi })).toThrow(BadRequestError)
  expect(() => compile({ topic0: [topic0], abi })).toThrow(message)
})

test.each([
  ...['addr', 'uint08', 'uint0', 'uint8x18', 'int12', 'fixed128', 'fixed128x81', 'fixed128x018', 'bytes0', 'bytes33'],
  ...['bool8', 'Address', 'mapping', 'address[0]', 'uint256[01]', '(addr)', '(uint256)[0]', 'string(', ''],
])('error: rejects Odd(%s), which contains no valid Solidity type', (type) => {
  const text = type === '' ? 'Odd(,)' : `Odd(${type})`
  expect(() => compile({ topic0: [text] })).toThrow(
    /^topic0\[0\] is ".*", which is not an event; allowed: Name\(type,type,…\)/,
  )
})

test('behavior: accepts every Solidity type', () => {
  const types = [
    'uint8',
    'int',
    'ufixed',
    'fixed8x0',
    'fixed256x80',
    'bytes1',
    'bytes32',
    'function',
    'uint256[2][]',
    '(address,bool)[10]',
  ]
  for (const type of types) expect(() => compile({ topic0: [`Odd(${type})`] })).not.toThrow()
})

test.each([[null], [{ type: 'uint257' }], [{ name: 'a' }], [{ type: 'tuple', components: null }]])(
  'behavior: an ABI item with the input %j is skipped as no event, and the other items are used',
  (input) => {
    const broken = { type: 'event', name: 'Broken', inputs: [input] }
    expect(takes({ topic0: [transfer], abi: [broken, ...erc20] }, ofCoins(1n))).toEqual([true])
  },
)
