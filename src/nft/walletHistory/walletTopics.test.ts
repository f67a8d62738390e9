import { expect, test } from 'vitest'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import { matchesTopics } from '../../chain/evm/source/readLogs.ts'
import { tokenTopic } from '../../chain/evm/source/tokenEvents.ts'
import type { Hex } from '../../util/hex.ts'
import { indexedForm, surveyLogs } from '../transfers/decodeTransfers.ts'
import { partiesOf } from '../transfers/indexedLogs.ts'
import { movesOf } from './movesOf.ts'
import { filtersOf, topicOf } from './walletTopics.ts'

const [wallet, other, operator] = ['77', '88', '99'].map((digits) => digits.repeat(20)) as [string, string, string]
const word = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`

const log = (topics: Hex[], data: Hex = '0x'): RpcLog => ({
  address: `0x${'aa'.repeat(20)}`,
  topics,
  data,
  blockNumber: '0x10',
  logIndex: '0x2',
  transactionHash: word(1),
  transactionIndex: '0x0',
  blockHash: word(2),
})
const pair = `${word(5)}${word(3).slice(2)}` as Hex

const events: [name: string, from: string, to: string, log: (from: string, to: string) => RpcLog][] = [
  ['Transfer', wallet, other, (from, to) => log([tokenTopic.transfer, topicOf(from), topicOf(to), word(5)])],
  [
    'TransferSingle',
    wallet,
    other,
    (from, to) => log([tokenTopic.transferSingle, topicOf(operator), topicOf(from), topicOf(to)], pair),
  ],
  [
    'ConsecutiveTransfer',
    wallet,
    other,
    (from, to) => log([tokenTopic.consecutiveTransfer, word(5), topicOf(from), topicOf(to)], word(7)),
  ],
]

test.each(events)('default: the three topic filters find a %s from a wallet and one to it', (_, from, to, make) => {
  const filters = filtersOf([wallet])
  for (const found of [make(from, to), make(to, from)]) {
    expect(filters.some((topics) => matchesTopics(found, topics))).toBe(true)
    expect(partiesOf(found)).toContain(wallet)
    expect(partiesOf(found)).not.toContain(operator)
  }
  const strange = make(other, operator)
  expect(filters.some((topics) => matchesTopics(strange, topics))).toBe(false)
})

test.each(events)('behavior: an address topic of a %s with nonzero padding is not a wallet', (_, from, to, make) => {
  const filters = filtersOf([wallet])
  const clean = make(from, to)
  const topics = clean.topics.map((topic) => (topic === topicOf(wallet) ? (topic.replace('0x0', '0x1') as Hex) : topic))
  const found = { ...clean, topics }
  expect(filters.some((wanted) => matchesTopics(found, wanted))).toBe(false)
  expect(movesOf([found], new Map([[wallet, { partition: 1, id: 1n }]]))).toEqual({ moves: [], oversized: [] })
  expect([clean, found].map((one) => surveyLogs([one], indexedForm).unindexed)).toEqual([false, true])
})

test('behavior: coin Transfers, and operators who move tokens of others, count for no wallet', () => {
  const coin = log([tokenTopic.transfer, topicOf(wallet), topicOf(other)], word(5))
  const operated = log([tokenTopic.transferSingle, topicOf(wallet), topicOf(other), topicOf(operator)], pair)
  for (const found of [coin, operated]) {
    expect(partiesOf(found)).not.toContain(wallet)
    expect(movesOf([found], new Map([[wallet, { partition: 1, id: 1n }]])).moves).toEqual([])
  }
  expect(partiesOf(coin)).toEqual([])
})

test('behavior: a self-transfer is one move, a transfer between two wallets is one each, an oversized log is none', () => {
  const wallets = new Map([wallet, other].map((holder, i) => [holder, { partition: i, id: BigInt(i) }]))
  const toSelf = log([tokenTopic.transfer, topicOf(wallet), topicOf(wallet), word(5)])
  const between = log([tokenTopic.transfer, topicOf(wallet), topicOf(other), word(5)])
  const ids = (found: RpcLog) => movesOf([found], wallets).moves.map((move) => move.wallet.id)
  expect([ids(toSelf), ids(between)]).toEqual([[0n], [0n, 1n]])
  const oversized = log([tokenTopic.consecutiveTransfer, word(0), topicOf(wallet), topicOf(operator)], word(2 ** 40))
  const found = movesOf([oversized], wallets)
  expect([found.moves, found.oversized]).toEqual([
    [],
    [{ wallet: { partition: 0, id: 0n }, position: expect.any(Number) }],
  ])
})
