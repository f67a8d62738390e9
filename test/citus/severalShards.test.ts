import { expect, onTestFinished } from 'vitest'
import { knownChains } from '../../src/chain/evm/chains.ts'
import { createDatabase } from '../../src/db/database.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { storeTransfers } from '../../src/nft/store/storeTransfers.ts'
import { zeroAddress } from '../../src/nft/transfers/transfer.ts'
import { transferGroup } from '../../src/nft/transfers/transferGroup.ts'
import { forgetChanges } from '../../src/stream/definition/streamChange.ts'
import { createAttemptSettler } from '../../src/stream/delivery/createAttemptSettler.ts'
import type { Attempt } from '../../src/stream/ledger/attempt.ts'
import { enqueueWebhooks } from '../../src/stream/ledger/enqueueWebhooks.ts'
import { addUrls, urlHash } from '../../src/stream/ledger/urlHash.ts'
import type { BlockHandler } from '../../src/sync/blockHandler.ts'
import { insertChain, readChain } from '../../src/sync/chainStore.ts'
import { createFollower } from '../../src/sync/follow.ts'
import { noopLog } from '../../src/util/log.ts'
import { createTestDatabase } from '../database.ts'
import { createScriptedChain } from '../scriptedChain.ts'
import { type LeasedCollection, seedLease, seedLeasedCollection, seedWorker } from '../seedLease.ts'
import { insertStreams, testWebhook } from '../stream/streams.ts'
import { transferAt } from './nodes.ts'
import { testOnTwoNodes } from './onTwoNodes.ts'

const evm = { ...knownChains[0]!, name: 'eth', configured: false }
const signal = new AbortController().signal
const noop = async () => undefined
const holder = '11'.repeat(20)
/** Enough that some of them are in different shards of one node. */
const many = 12

testOnTwoNodes(
  'behavior: a block with transfers in several shards of a node is stored, where stream changes are deleted, too (skipped without a cluster of two workers)',
  async () => {
    const database = await createTestDatabase()
    onTestFinished(database.drop)
    const { db } = database
    const chain = createScriptedChain('0x00000000000000000000000000000000000000aa', 2)
    const { genesisHash } = await chain.source.identity()
    await insertChain(db, 1n, genesisHash, 0n, 0n)
    const worker = await seedWorker(db)
    await seedLease(db, 'chain', 1n, worker)
    const collections: LeasedCollection[] = []
    for (let i = 0; i < many; i++) collections.push(await seedLeasedCollection(db, { tokens: [], worker }))
    const handler: BlockHandler = {
      topics: [],
      watched: () => new Map(),
      followed: () => ({ collections: many, streams: 1 }),
      async apply(tx, { header: { number } }) {
        const groups = collections.map((key) => {
          const collection = { ...key, chainId: 1n, standard: 'ERC721', idInData: false } as const
          return transferGroup(collection, [transferAt(number, String(number), zeroAddress, holder)])
        })
        await storeTransfers(tx, groups, { chainId: 1n, number })
      },
      finalize: (tx) => forgetChanges(tx),
      revert: noop,
      release: noop,
      committed: noop,
      join: async () => false,
    }
    const follower = createFollower({
      ...{ chain: evm, source: chain.source, handler, db, worker: () => worker },
      ...{ metrics: createMetrics(), log: noopLog },
    })
    for (let i = 0; i < 5; i++) chain.add([])
    for (let steps = 0; (await follower.step(signal)) !== 'idle'; steps++) expect(steps).toBeLessThan(10)
    expect((await readChain(db, 1n))?.block?.number).toBe(chain.head())
    const stored = await db.rows<[bigint, bigint]>('SELECT collection_id, count(*) FROM transfer GROUP BY 1')
    expect(stored.map(([, count]) => count)).toEqual(Array.from({ length: many }, () => 2n))
  },
)

testOnTwoNodes(
  'behavior: attempts of streams in several shards of a node are settled when their URL fails and all streams stop (skipped without a cluster of two workers)',
  async () => {
    const database = await createTestDatabase()
    onTestFinished(database.drop)
    // Citus opens as many connections to a node as a session may have. By default it does so only if a statement takes some milliseconds.
    const db = createDatabase({
      connection: { ...database.connection, options: '-c citus.executor_slow_start_interval=0' },
      ...{ poolSize: 2, log: noopLog },
    })
    onTestFinished(db.close)
    const url = 'https://receiver.example/hook'
    const streams = await insertStreams(
      db,
      Array.from({ length: many }, () => url),
    )
    await addUrls(db, [url])
    const webhooks = streams.map((stream) => testWebhook(stream, { number: 1 }))
    await db.transaction((tx) => enqueueWebhooks(tx, webhooks))
    const rows = await db.rows<[number, string, bigint]>('SELECT partition, stream_id::text, position FROM webhook')
    const attempts = rows.map(
      ([partition, streamId, position]): Attempt => ({
        ...{ partition, streamId, chainId: 31_337n, position, replay: 0, number: 1 },
        ...{ urlHash: urlHash(url), at: new Date(), ms: 1 },
        outcome: { status: 'failed', error: 'answered 500', code: 500, retryAt: new Date() },
      }),
    )
    const end = new AbortController()
    const settled: Attempt[] = []
    const settler = createAttemptSettler({
      ...{ db, log: noopLog, clock: Date.now, signal: end.signal },
      settings: { minSuccessRate: 100 - many / 2, probeDelaysMs: [60_000] },
      onSettled: (own) => void settled.push(...own),
    })
    for (const attempt of attempts) settler.add(attempt)
    end.abort()
    await settler.done
    expect(settled).toEqual(attempts)
    expect(await db.rows('SELECT status, count(*) FROM stream GROUP BY 1')).toEqual([['error', BigInt(many)]])
  },
)
