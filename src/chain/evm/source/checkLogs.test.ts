import { expect, test } from 'vitest'
import type { RpcLog } from '../rpc/rpc.ts'
import { checkLogs } from './checkLogs.ts'

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

test('default: logs out of order are put in order, and a log given twice stays once', () => {
  const logs = [logAt(2), logAt(0), logAt(1), logAt(0)]
  expect(checkLogs(logs, filter)).toBe(undefined)
  expect(logs.map((log) => log.logIndex)).toEqual(['0x0', '0x1', '0x2'])
})

test.each([
  { address: '0x00000000000000000000000000000000000000bb' },
  { topics: [hash('3')] },
  { topics: [hash('1'), hash('3')] },
  { data: '0x01' },
  { transactionHash: hash('4') },
] as Partial<RpcLog>[])('error: another log under the index of a right one does not take its place: %j', (changes) => {
  for (const logs of [
    [logAt(0), logAt(0, changes)],
    [logAt(0, changes), logAt(0)],
  ])
    expect(checkLogs(logs, filter)).toBe('two logs with one index')
})

test('behavior: addresses come out in lower case, however they were asked for', () => {
  const logs = [logAt(0, { address: '0x00000000000000000000000000000000000000Aa' })]
  expect(checkLogs(logs, filter)).toBe(undefined)
  expect(logs[0]!.address).toBe('0x00000000000000000000000000000000000000aa')
})

test.each([{ topics: ['0xzz'] }, { data: '0xabc' }, { address: '0x12' }] as unknown as Partial<RpcLog>[])(
  'error: a log with a part that is not hex is refused: %j',
  (changes) => {
    expect(checkLogs([logAt(0, changes)], filter)).toBeTypeOf('string')
  },
)

test('behavior: logs that are counted from 0 in each transaction stay in the order of the transactions, whichever are asked for', () => {
  const second = { transactionHash: hash('3'), transactionIndex: '0x1' } as const
  const logs = [
    logAt(3, { data: '0x01' }),
    logAt(0, { ...second, data: '0x02' }),
    logAt(2, { ...second, data: '0x03' }),
  ]
  expect(checkLogs(logs, filter)).toBe(undefined)
  expect(logs.map(({ data, logIndex }) => [data, logIndex])).toEqual([
    ['0x01', '0x0'],
    ['0x02', '0x1'],
    ['0x03', '0x2'],
  ])
})
