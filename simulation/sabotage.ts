import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '../test/random.ts'
import { checkBounds } from './invariants/bounds.ts'
import { checkCoins } from './invariants/coins.ts'
import { checkCollections } from './invariants/collections.ts'
import { checkCoverage } from './invariants/coverage.ts'
import { awaitRanks } from './invariants/metadata.ts'
import { checkStreams } from './invariants/streams.ts'
import type { World } from './world.ts'

/** A deliberate failure, the check that must find it, and the expected message. */
export type Sabotage = {
  name: string
  breaks: RegExp
  do(world: World): Promise<unknown>
  check(world: World): Promise<unknown>
}

const change = (text: string) => (world: World) => world.database.rows(text)
const checkState = (world: World) => checkCollections(world, createRandom(1))

/** A check that never fails checks nothing. This list has each kind of failure, so that a run can prove that a check finds it. */
export const sabotages: readonly Sabotage[] = [
  {
    name: 'a transfer is lost',
    breaks: /^2 coverage: .* covers block/,
    do: change('DELETE FROM transfer WHERE position = (SELECT max(position) FROM transfer)'),
    check: checkCoverage,
  },
  {
    name: 'tokens have another owner',
    breaks: /^1 state: .* record \d+ .* should be/,
    do: change(`UPDATE token SET owner = decode(repeat('77', 20), 'hex') WHERE holders = 1`),
    check: checkState,
  },
  {
    name: 'a receiver missed half of its webhooks',
    breaks: /^3 streams: .* are missing/,
    async do({ receivers, streams }) {
      for (const { path } of streams) receivers.inbox(path).order.splice(0, receivers.inbox(path).order.length >> 1)
    },
    check: checkStreams,
  },
  {
    name: 'webhooks come in the wrong order',
    breaks: /^3 streams: .* came after/,
    async do({ receivers, streams }) {
      for (const { path } of streams) receivers.inbox(path).order.reverse()
    },
    check: checkStreams,
  },
  {
    name: 'an attempt is made twice',
    breaks: /^3 streams: .* without a crash/,
    async do({ receivers, streams }) {
      for (const { path } of streams) {
        const { attempts } = receivers.inbox(path)
        for (const attempt of attempts.slice(0, 3)) attempts.push(attempt, attempt, attempt)
      }
    },
    check: checkStreams,
  },
  {
    name: 'a counter is wrong',
    breaks: /^3 streams: (?=.*webhooks count as delivered)/,
    do: change('UPDATE webhook_delivered SET delivered = delivered + 1000'),
    check: checkStreams,
  },
  {
    name: 'a counter is not that of its ledger',
    breaks: /^3 streams: the counter delivered/,
    do: change('UPDATE webhook_delivered SET delivered = delivered + 1000'),
    check: checkStreams,
  },
  {
    name: 'webhooks come of a stream that was deleted',
    breaks: /^3 streams: .* had been deleted/,
    async do({ streams }) {
      for (const stream of streams) stream.deleted = 0
    },
    check: checkStreams,
  },
  {
    name: 'places by rarity are wrong',
    breaks: /^1 documents: .* has rank/,
    async do(world) {
      await awaitRanks(world, 90_000, 100)
      await world.database.rows('UPDATE token_rarity SET rank = rank + 1')
    },
    // No cache has pages of this limit.
    check: (world) => awaitRanks(world, 1_000, 99),
  },
  {
    name: 'a coin is lost',
    breaks: /^4 coins: .* missing/,
    do: change('DELETE FROM coin WHERE version = (SELECT max(version) FROM coin)'),
    check: (world) => checkCoins(world, createRandom(1)),
  },
  {
    name: 'a table is gone',
    breaks: /^5 answers: .* was answered 500/,
    async do({ database, client }) {
      await database.rows('ALTER TABLE coin RENAME TO coin_elsewhere')
      for (let i = 0; i < 3; i++) await client.request(`/coins/latest?limit=${i + 50}`)
      await database.rows('ALTER TABLE coin_elsewhere RENAME TO coin')
    },
    check: async () => undefined,
  },
  {
    name: 'connections are left open',
    breaks: /^6 bounds: \d+ connections/,
    async do(world) {
      const open = Promise.allSettled(Array.from({ length: 120 }, () => world.database.rows('SELECT pg_sleep(3)')))
      await wait(1_500)
      await checkBounds(world, new Map())
      await open
    },
    check: async () => undefined,
  },
  {
    name: 'a process takes too much memory',
    breaks: /^6 bounds: .* holds/,
    do: (world) => checkBounds(world, new Map(), 20),
    check: async () => undefined,
  },
  {
    name: 'a process dies',
    breaks: /^6 help: .* ended by itself/,
    async do({ processes }) {
      process.kill(processes.at(-1)!.pid()!, 'SIGKILL')
      await wait(500)
    },
    check: async () => undefined,
  },
]
