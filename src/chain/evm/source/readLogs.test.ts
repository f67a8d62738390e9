import { expect, test } from 'vitest'
import type { Hex } from '../../../util/hex.ts'
import type { RpcLog } from '../rpc/rpc.ts'
import { readLogs } from './readLogs.ts'

const hash = (digit: string) => `0x${digit.repeat(64)}` as const

function logAt(index: number, changes: Partial<RpcLog> = {}): RpcLog {
  return {
    address: '0x00000000000000000000000000000000000000aa',
    topics: [hash('1')],
    data: '0x',
    blockNumber: '0x5',
    blockHash: hash('5'),
    transactionHash: hash('2'),
    transactionIndex: '0x0',
    logIndex: `0x${index.toString(16)}`,
    ...changes,
  }
}

const filter = { topics: [], from: 5, to: 5 }

const contents = (logs: RpcLog[] | string) =>
  typeof logs === 'string' ? logs : logs.map(({ data, logIndex }) => [data, logIndex])

test('default: unordered logs are sorted, and a duplicate log is kept once', () => {
  const logs = readLogs([logAt(2), logAt(0), logAt(1), logAt(0)], filter) as RpcLog[]
  expect(logs.map((log) => log.logIndex)).toEqual(['0x0', '0x1', '0x2'])
})

test.each([
  { address: '0x00000000000000000000000000000000000000bb' },
  { topics: [hash('3')] },
  { topics: [hash('1'), hash('3')] },
  { data: '0x01' },
  { transactionHash: hash('4') },
] as Partial<RpcLog>[])(
  'behavior: two logs with one index are both kept, numbered in the order given: %j',
  (changes) => {
    for (const second of [{}, changes]) {
      const first = second === changes ? {} : changes
      const misnumbered: number[] = []
      const logs = readLogs([logAt(7, first), logAt(7, second)], filter, (block) => misnumbered.push(block))
      expect(logs).toEqual([logAt(0, first), logAt(1, second)])
      expect(misnumbered).toEqual([5])
    }
  },
)

test('behavior: only blocks with wrong indexes are renumbered', () => {
  const other = { blockNumber: '0x6', blockHash: hash('6') } as const
  const logs = [logAt(7, { data: '0x01' }), logAt(3, other), logAt(3, { ...other, data: '0x02' })]
  expect(contents(readLogs(logs, { ...filter, to: 6 }))).toEqual([
    ['0x01', '0x7'],
    ['0x', '0x0'],
    ['0x02', '0x1'],
  ])
})

test('behavior: an index above the limit of a block is renumbered', () => {
  const logs = [logAt(2 ** 20, { data: '0x01' }), logAt(2 ** 40, { data: '0x02' })]
  expect(contents(readLogs(logs, filter))).toEqual([
    ['0x01', '0x0'],
    ['0x02', '0x1'],
  ])
})

test('behavior: addresses are normalized to lower case', () => {
  const logs = readLogs([logAt(0, { address: '0x00000000000000000000000000000000000000Aa' })], filter) as RpcLog[]
  expect(logs[0]!.address).toBe('0x00000000000000000000000000000000000000aa')
})

test('behavior: null counts as an empty answer', () => {
  expect(readLogs(null, filter)).toEqual([])
})

test.each(['', null, '0x0', '0x'])('behavior: data of %j counts as empty', (data) => {
  expect(readLogs([logAt(0, { data: data as Hex })], filter)).toEqual([logAt(0)])
})

test('behavior: upper-case hex and leading zeros are normalized', () => {
  const capitals = Object.fromEntries(
    Object.entries(logAt(10, { data: '0xabcd' })).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toUpperCase() : value,
    ]),
  )
  const padded = { ...capitals, topics: [hash('1').toUpperCase()], blockNumber: '0x0005', logIndex: '0x0A' }
  const topics = [[hash('1')]]
  const blockHash = hash('5')
  expect(readLogs([padded], { ...filter, topics, blockHash })).toEqual([logAt(10, { data: '0xabcd' })])
})

test('behavior: a log with removed set is dropped', () => {
  const logs = [logAt(0, { removed: true, blockHash: hash('6') }), logAt(0)]
  expect(readLogs(logs, filter)).toEqual([logAt(0)])
})

test.each([{ topics: ['0xzz'] }, { data: '0xabc' }, { address: '0x12' }] as unknown as Partial<RpcLog>[])(
  'error: rejects a log with a field that is not valid hex: %j',
  (changes) => {
    expect(readLogs([logAt(0, changes)], filter)).toBeTypeOf('string')
  },
)

test('behavior: logs numbered from 0 in each transaction are sorted by transaction, in any selection', () => {
  const second = { transactionHash: hash('3'), transactionIndex: '0x1' } as const
  const logs = [
    logAt(3, { data: '0x01' }),
    logAt(0, { ...second, data: '0x02' }),
    logAt(2, { ...second, data: '0x03' }),
  ]
  expect(contents(readLogs(logs, filter))).toEqual([
    ['0x01', '0x0'],
    ['0x02', '0x1'],
    ['0x03', '0x2'],
  ])
})
