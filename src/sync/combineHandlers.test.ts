import { expect, test } from 'vitest'
import type { RpcLog } from '../chain/evm/rpc/rpc.ts'
import type { Transaction } from '../db/database.ts'
import type { Hex } from '../util/hex.ts'
import type { BlockHandler, FollowedBlock } from './blockHandler.ts'
import { combineHandlers } from './combineHandlers.ts'

const topic = (n: number): Hex => `0x${String(n).repeat(64)}`
const nothing = {} as Transaction

function handler(name: string, topics: readonly Hex[] | null, calls: string[]): BlockHandler {
  const note = (call: string) => async () => void calls.push(`${name} ${call}`)
  return {
    topics,
    watched: () => new Map([[`0x${name}` as const, name]]),
    followed: () => ({ collections: 1, streams: topics ? 0 : 2 }),
    prepare: async ({ blocks }) => void calls.push(`${name} prepare ${blocks.map(({ logs }) => logs.length)}`),
    apply: async (_, { logs }) => void calls.push(`${name} apply ${logs.map((log) => log.topics[0]?.[2] ?? '-')}`),
    revert: note('revert'),
    finalize: note('finalize'),
    release: note('release'),
    committed: ({ blocks }) => void calls.push(`${name} committed ${blocks.map(({ logs }) => logs.length)}`),
    join: async () => {
      calls.push(`${name} join`)
      return name === 'a'
    },
  }
}

const block = {
  logs: [[topic(1)], [topic(2)], [topic(3)], []].map((topics) => ({ topics }) as unknown as RpcLog),
} as unknown as FollowedBlock

test('default: each handler gets the logs that it requested, one handler after another', async () => {
  const calls: string[] = []
  const both = combineHandlers([handler('a', [topic(1)], calls), handler('b', [topic(1), topic(3)], calls)])
  expect(both.topics).toEqual([topic(1), topic(3)])
  expect([...both.watched().keys()]).toEqual(['0xa', '0xb'])
  await both.prepare?.({ fork: 0n, blocks: [block] })
  await both.apply(nothing, block)
  await both.revert(nothing, 0n)
  await both.finalize(nothing, 0n)
  await both.release(nothing, 0n)
  both.committed({ fork: 0n, blocks: [block], finalized: 0n, released: false })
  expect(await both.join({ number: 0n, hash: '0x', finalized: 0n, worker: 1 }, new AbortController().signal)).toBe(true)
  expect(calls).toEqual([
    'a prepare 1',
    'b prepare 2',
    'a apply 1',
    'b apply 1,3',
    'a revert',
    'b revert',
    'a finalize',
    'b finalize',
    'a release',
    'b release',
    'a committed 1',
    'b committed 2',
    'a join',
    'b join',
  ])
})

test('behavior: if one handler wants every log, all logs are read, and the others still get only their own', async () => {
  const calls: string[] = []
  const both = combineHandlers([handler('a', [topic(2)], calls), handler('b', null, calls)])
  expect(both.topics).toBeNull()
  expect(both.followed()).toEqual({ collections: 2, streams: 2, discovers: false })
  await both.apply(nothing, block)
  expect(calls).toEqual(['a apply 2', 'b apply 1,2,3,-'])
})
