import protobuf from 'protobufjs'
import { expect, test } from 'vitest'
import { encodeMessage as encode } from '../../../test/aptos/encodeMessage.ts'
import { inventTransaction } from '../../../test/aptos/inventedTransaction.ts'
import { genesis, recordedMissing, recordedTransactions } from '../../../test/aptos/recorded.ts'
import { AptosAnswerError } from './aptosError.ts'
import { createTransactionsDecoder } from './decodeTransactions.ts'
import { parseLedger, parseRestTransaction, parseTransactions } from './parseRest.ts'
import { messageType } from './proto.ts'

test.skipIf(recordedMissing)('default: both parsers return the same for all 116 recorded transactions', () => {
  const recorded = recordedTransactions()
  expect(recorded).toHaveLength(116)
  const decode = createTransactionsDecoder({ resources: [''] })
  let writes = 0
  for (const { file, proto, rest } of recorded) {
    const parsed = parseRestTransaction(rest, { resources: [''] })
    const { transactions, first, last, chainId } = decode(encode([proto]))
    expect({ first, last, chainId }, file).toEqual({
      first: Number(rest.version),
      last: Number(rest.version),
      chainId: 1,
    })
    expect(transactions, file).toEqual(parsed.writes.length === 0 ? [] : [parsed])
    writes += parsed.writes.length
  }
  expect(writes).toBeGreaterThan(500)
})

test.skipIf(recordedMissing)('behavior: the streaming decoder finds the same writes as the protobuf descriptor', () => {
  const type = messageType('TransactionsResponse')
  const message = encode(recordedTransactions().map(({ proto }) => proto))
  const { transactions } = type.toObject(type.decode(message), { longs: String, arrays: true }) as {
    transactions: { version: string; info: { changes: { writeResource?: { typeStr: string; data: string } }[] } }[]
  }
  const wanted = transactions.flatMap(({ version, info }) =>
    info.changes.flatMap(({ writeResource }) =>
      writeResource?.typeStr.startsWith('0x1::coin::')
        ? [[version, writeResource.typeStr, JSON.parse(writeResource.data)]]
        : [],
    ),
  )
  const walked = createTransactionsDecoder({ resources: ['0x1::coin::'] })(message).transactions.flatMap(
    ({ version, writes }) => writes.map(({ type, data }) => [String(version), type, data]),
  )
  expect(walked).toEqual(wanted)
  expect(walked.length).toBeGreaterThan(50)
})

test.skipIf(recordedMissing)('behavior: genesis is read from its changes only, not also from its payload', () => {
  const { writes, kind, timestampMicros } = parseRestTransaction(genesis(), { resources: ['0x1::coin::CoinInfo<'] })
  expect({ kind, timestampMicros }).toEqual({ kind: 'genesis', timestampMicros: 0n })
  expect(writes.map(({ type }) => type)).toEqual(['0x1::coin::CoinInfo<0x1::aptos_coin::AptosCoin>'])
})

test('behavior: keeps only requested resources, and distinguishes failed and other kinds of transactions', () => {
  const coin = { type: '0xa::m::C', name: 'A\u0000 "ü"', symbol: 'A' }
  const made = [
    inventTransaction({ coins: [coin] }),
    inventTransaction({}),
    inventTransaction({ coins: [coin], success: false }),
    inventTransaction({ coins: [coin], kind: 'block' }),
    inventTransaction({ coins: [coin], kind: 'genesis' }),
  ]
  const rest = parseTransactions(
    made.map(({ rest }, i) => ({ ...rest, version: String(i) })),
    0n,
    { resources: ['0x1::coin::CoinInfo<'] },
  )
  const message = encode(made.map(({ proto }, i) => ({ ...proto, version: String(i) })))
  const streamed = createTransactionsDecoder({ resources: ['0x1::coin::CoinInfo<'] })(message)
  expect(streamed.transactions).toEqual(rest.transactions)
  expect(rest.transactions.map(({ version, kind, success }) => [version, kind, success])).toEqual([
    [0n, 'user', true],
    [2n, 'user', false],
    [3n, 'other', true],
    [4n, 'genesis', true],
  ])
  expect(streamed).toMatchObject({ first: 0, last: 4, consecutive: true, processed: undefined })
})

test('behavior: a gap in the versions of a message is reported', () => {
  const { proto } = inventTransaction({})
  const message = encode([5, 6, 8].map((version) => ({ ...proto, version: String(version) })))
  expect(createTransactionsDecoder({ resources: ['x'] })(message)).toMatchObject({
    first: 5,
    last: 8,
    consecutive: false,
  })
})

test('behavior: reads the processed range, with exact versions beyond 2^32', () => {
  const writer = protobuf.Writer.create()
  const type = messageType('TransactionsResponse')
  const range = { firstVersion: 6_643_353_877, lastVersion: 2 ** 40 + 1 }
  const bytes = type.encode(type.fromObject({ chainId: 2, processedRange: range }), writer).finish()
  expect(createTransactionsDecoder({ resources: ['x'] })(bytes)).toMatchObject({
    chainId: 2,
    processed: { first: 6_643_353_877, last: 2 ** 40 + 1 },
  })
})

test.each([2n ** 63n, 253_402_300_800_000_000n])(
  'error: rejects a transaction with the timestamp %d',
  (timestampMicros) => {
    const { proto, rest } = inventTransaction({
      coins: [{ type: '0xa::m::C', name: 'n', symbol: 's' }],
      timestampMicros,
    })
    const decode = createTransactionsDecoder({ resources: ['0x1::coin::CoinInfo<'] })
    expect(() => decode(encode([{ ...proto, version: '7' }]))).toThrow('transaction 7 has no time of this era')
    expect(() => parseTransactions([{ ...rest, version: '7' }], 7n, { resources: ['0x1::coin::CoinInfo<'] })).toThrow(
      AptosAnswerError,
    )
  },
)

const wanted = { resources: ['0x1::coin::CoinInfo<'], deleted: '0x1::object::ObjectGroup', table: '0xb' }
const coinType = '0x1::coin::CoinInfo<0xa::m::C>'
const coin = { type: '0xa::m::C', name: 'n', symbol: 's' }

test.each<[what: string, fields: object]>([
  ['without changes', { changes: undefined }],
  ['with null as changes', { changes: null }],
  ['with a text as changes', { changes: 'x' }],
  ['with a change without a type', { changes: [{ address: '0x1' }] }],
  ['with null as a change', { changes: [null] }],
  ['with a written resource without a type', { changes: [{ type: 'write_resource', address: '0x1', data: null }] }],
  ['with a coin without data', { changes: [{ type: 'write_resource', address: '0xa', data: { type: coinType } }] }],
  [
    'with null as the data of a coin',
    { changes: [{ type: 'write_resource', address: '0xa', data: { type: coinType, data: null } }] },
  ],
  [
    'with a coin without an address',
    { changes: [{ type: 'write_resource', data: { type: coinType, data: { name: 'n' } } }] },
  ],
  ['with a deleted resource without a type', { changes: [{ type: 'delete_resource', address: '0xa' }] }],
  ['with a deleted object without an address', { changes: [{ type: 'delete_resource', resource: wanted.deleted }] }],
  ['with an item without a table', { changes: [{ type: 'write_table_item', key: '0x1', value: '0x' }] }],
  ['with an item without a key', { changes: [{ type: 'write_table_item', handle: '0xb', value: '0x' }] }],
  ['with an item without a value', { changes: [{ type: 'write_table_item', handle: '0xb', key: '0x1', data: null }] }],
  ['without success', { success: undefined }],
  ['with a text as success', { success: 'true' }],
  ['without a type', { type: undefined }],
  ['of a user without a time', { timestamp: undefined }],
])('error: rejects a REST transaction %s, as its coins would be lost', (_, fields) => {
  const { rest } = inventTransaction({ coins: [coin] })
  const parse = (item: object) => parseTransactions([{ ...item, version: '7' }], 7n, wanted)
  expect(parse(rest).transactions).toHaveLength(1)
  expect(() => parse({ ...rest, ...fields })).toThrow(AptosAnswerError)
})

test('behavior: accepts REST transactions and changes of types that are unknown or have no time', () => {
  const { rest } = inventTransaction({ coins: [coin] })
  const changes = [
    { type: 'write_module', address: '0xa', data: { bytecode: '0x' } },
    { type: 'write_module', address: '0xa', data: null },
    { type: 'delete_module', address: '0xa', module: '0xa::m' },
    { type: 'delete_resource', address: '0xa', resource: '0xa::m::Other' },
    { type: 'write_table_item', handle: '0xc', key: '0x1', value: '0x', data: null },
    { type: 'delete_table_item', handle: '0xc', key: '0x1', data: null },
    { type: 'write_later_kind' },
    ...(rest as { changes: object[] }).changes,
  ]
  const types = [
    'genesis_transaction',
    'state_checkpoint_transaction',
    'block_epilogue_transaction',
    'later_transaction',
  ]
  const items = types.map((type, i) => ({ version: String(i), type, success: true, changes }))
  const { to, transactions } = parseTransactions(items, 0n, wanted)
  expect(to).toBe(3n)
  expect(transactions.map(({ kind, writes }) => [kind, writes.length])).toEqual([
    ['genesis', 1],
    ['other', 1],
    ['other', 1],
    ['other', 1],
  ])
})

test.each<[what: string, fields: object]>([
  ['without its info', { info: undefined }],
  ['without a type', { type: 'TRANSACTION_TYPE_UNSPECIFIED' }],
  ['of a user without a time', { timestamp: undefined }],
  [
    'with a written resource without a type',
    { info: { changes: [{ writeResource: { address: '0xa', data: '{}' } }] } },
  ],
  ['with a coin without data', { info: { changes: [{ writeResource: { address: '0xa', typeStr: coinType } }] } }],
  ['with a coin without an address', { info: { changes: [{ writeResource: { typeStr: coinType, data: '{}' } }] } }],
  [
    'with a deleted object without an address',
    { info: { changes: [{ deleteResource: { typeStr: wanted.deleted } }] } },
  ],
  ['with an item without a key', { info: { changes: [{ writeTableItem: { handle: '0xb' } }] } }],
])('error: rejects a streamed transaction %s, as its coins would be lost', (_, fields) => {
  const { proto } = inventTransaction({ coins: [coin] })
  const decode = createTransactionsDecoder(wanted)
  expect(decode(encode([{ ...proto, version: '7' }])).transactions).toHaveLength(1)
  expect(() => decode(encode([{ ...proto, version: '7', ...fields }]))).toThrow(RangeError)
})

test('error: rejects versions that a number cannot represent', () => {
  const type = messageType('TransactionsResponse')
  const decode = createTransactionsDecoder({ resources: ['x'] })
  for (const message of [
    { transactions: [{ version: '18446744073709551615', type: 2, info: {} }] },
    { processedRange: { firstVersion: '0', lastVersion: '9223372036854775807' } },
  ])
    expect(() => decode(type.encode(type.fromObject(message)).finish())).toThrow('is not a version')
  for (const ledger_version of ['9223372036854775808', '1e3', '-1', 7, null, '9'.repeat(200)])
    expect(() => parseLedger({ chain_id: 1, ledger_version })).toThrow(AptosAnswerError)
})

test('error: a truncated message throws or returns only whole transactions', () => {
  const { proto } = inventTransaction({ coins: [{ type: '0xa::m::C', name: 'n', symbol: 's' }] })
  const message = encode([1, 2].map((version) => ({ ...proto, version: String(version) })))
  const decode = createTransactionsDecoder({ resources: ['0x1::coin::CoinInfo<'] })
  const whole = decode(message)
  for (let length = 0; length < message.length; length++) {
    let cut: ReturnType<typeof decode> | undefined
    try {
      cut = decode(message.subarray(0, length))
    } catch (error) {
      expect(error).toBeInstanceOf(Error)
    }
    for (const transaction of cut?.transactions ?? []) expect(whole.transactions).toContainEqual(transaction)
    if (cut?.last !== undefined) expect([1, 2]).toContain(cut.last)
  }
})
