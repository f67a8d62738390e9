// @module-tag system

import { expect, onTestFinished, test } from 'vitest'
import { AptosError, AptosUnresponsiveError } from '../../src/chain/aptos/aptosError.ts'
import { createGrpcSource } from '../../src/chain/aptos/createGrpcSource.ts'
import type { AptosSource } from '../../src/chain/aptos/source.ts'
import { wantedChanges } from '../../src/coin/decode/decodeCoins.ts'
import { noopLog } from '../../src/util/log.ts'
import { createRandom, freshSeed } from '../random.ts'
import { system } from '../system.ts'
import { createAptosChain, type ScriptedTransaction } from './aptosChain.ts'
import { type CoinTruth, makeCoins } from './coinActivity.ts'
import { expectCoins, startCoinServer } from './coinServer.ts'
import { startFakeStream } from './fakeStream.ts'
import type { StreamMessage } from './serveStream.ts'

const seed = freshSeed()
const random = createRandom(seed)
process.stdout.write(`seed ${seed}\n`)

function madeChain(count: number) {
  const chain = createAptosChain({ chainId: 1 })
  const truth: CoinTruth = new Map()
  makeCoins(chain, truth, random, count)
  return { chain, truth }
}

type Batch = readonly ScriptedTransaction[]

const first = (batch: Batch) => batch[0]!.version
const last = (batch: Batch) => batch.at(-1)!.version

/** Messages of a broken or hostile stream instead of the transactions that it should send. */
const lies: Record<string, (batch: Batch) => StreamMessage> = {
  'a range far ahead': (batch) => ({ sent: batch, processed: { first: first(batch), last: 2n ** 52n } }),
  'one version more than came': (batch) => ({
    sent: batch,
    processed: { first: first(batch), last: last(batch) + 1n },
  }),
  'a range of which nothing came': (batch) => ({ sent: [], processed: { first: first(batch), last: last(batch) } }),
  'a range of which the end came': (batch) => ({
    sent: batch.slice(1),
    processed: { first: first(batch), last: last(batch) },
  }),
  'a range with a hole': (batch) => ({
    sent: batch.toSpliced(1, 1),
    processed: { first: first(batch), last: last(batch) },
  }),
  'a range out of order': (batch) => ({
    sent: batch.toReversed(),
    processed: { first: first(batch), last: last(batch) },
  }),
  'a range from the beginning': (batch) => ({ sent: batch.slice(1), processed: { first: 0n, last: last(batch) } }),
  'a range backwards': (batch) => ({ sent: [], processed: { first: last(batch), last: first(batch) } }),
}

test.each(Object.entries(lies))(
  'behavior: if a stream claims %s, only the received versions count as read',
  async (_, lie) => {
    const { chain } = madeChain(40)
    const sent = new Set<bigint>()
    const stream = await startFakeStream({
      chain,
      distort(batch) {
        const message = lie(batch)
        for (const { version } of message.sent) sent.add(version)
        return message
      },
    })
    const source = openStream(stream.address)
    const read = async () => {
      for await (const { from, to, head } of source.read({ from: 0n }, new AbortController().signal)) {
        for (let version = from; version <= to; version++) expect(sent).toContain(version)
        expect(head).toBeLessThanOrEqual(chain.head())
      }
    }
    await expect(read()).rejects.toBeInstanceOf(AptosError)
  },
)

test('behavior: a stream with occasional false claims gives the same coins', system, async () => {
  const { chain, truth } = madeChain(400)
  const kinds = Object.values(lies)
  let messages = 0
  const stream = await startFakeStream({
    chain,
    distort(batch) {
      messages += 1
      // Only ranges of more than one version, as history and the follower read them. The search for the head requests single versions.
      if (batch.length > 1 && messages % 4 === 0) return kinds[(messages / 4) % kinds.length]!(batch)
      return { sent: batch, processed: { first: first(batch), last: last(batch) } }
    },
  })
  await using server = await startCoinServer({ mainnet: { grpc: stream.address, silenceMs: 300, rangeWidth: 100 } })
  await server.untilCovered(chain.head())
  makeCoins(chain, truth, random, 50)
  await server.untilCovered(chain.head())
  await expectCoins(server, truth)
  expect((await server.headers())['x-index-to-version']).toBe(String(chain.head()))
})

test('behavior: a head that a stream falsely reported once is dropped', async () => {
  const { chain } = madeChain(40)
  const far = createAptosChain({ chainId: 1, first: 2n ** 50n })
  makeCoins(far, new Map(), random, 1)
  let honest = false
  const stream = await startFakeStream({ chain, distort: (batch) => ({ sent: honest ? batch : far.transactions }) })
  const source = openStream(stream.address)
  const { signal } = new AbortController()
  expect((await source.ledger(signal)).head).toBe(2n ** 50n)
  honest = true
  expect((await source.ledger(signal)).head).toBe(chain.head())
})

test('error: a stream that keeps sending messages without a version counts as unresponsive', async () => {
  const { chain } = madeChain(10)
  const stream = await startFakeStream({
    chain,
    distort() {
      makeCoins(chain, new Map(), random, 7)
      return { sent: [] }
    },
  })
  const read = openStream(stream.address).read({ from: 0n }, new AbortController().signal)
  await expect(read[Symbol.asyncIterator]().next()).rejects.toBeInstanceOf(AptosUnresponsiveError)
})

function openStream(address: string): AptosSource {
  const source = createGrpcSource({
    firstVersion: 0n,
    address,
    token: undefined,
    wanted: wantedChanges,
    silenceMs: 300,
    log: noopLog,
  })
  onTestFinished(() => source.close())
  return source
}
