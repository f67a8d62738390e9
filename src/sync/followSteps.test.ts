import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { holdClock } from '../../test/holdClock.ts'
import { createScriptedChain } from '../../test/scriptedChain.ts'
import { seedLease, seedWorker } from '../../test/seedLease.ts'
import { knownChains } from '../chain/evm/chains.ts'
import type { ContractReader } from '../chain/evm/contracts/contract.ts'
import { BlockUnsettledError } from '../chain/evm/source/sourceError.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { followCollections } from '../nft/index/followCollections.ts'
import { noopLog } from '../util/log.ts'
import type { BlockHandler } from './blockHandler.ts'
import { insertChain } from './chainStore.ts'
import { createFollower } from './follow.ts'

const never = new AbortController().signal

/** A chain with a block every second, and everything that a follower needs. */
async function openChain() {
  const { db, drop } = await createTestDatabase()
  onTestFinished(() => drop())
  const chain = createScriptedChain('0x00000000000000000000000000000000000000aa', 40)
  await insertChain(db, 1n, (await chain.source.identity()).genesisHash, 0n, 0n)
  const worker = await seedWorker(db)
  await seedLease(db, 'chain', 1, worker)
  const evm = { ...knownChains[0]!, name: 'eth', configured: false }
  const common = { chain: evm, source: chain.source, db, metrics: createMetrics(), log: noopLog }
  const collections = await followCollections({
    ...common,
    contracts: {} as ContractReader,
    metadataCoolOffMs: 0,
    maxTokens: 1_000,
  })
  const steps: number[] = []
  const handler: BlockHandler = {
    ...collections,
    committed(step) {
      steps.push(step.blocks.length)
      collections.committed(step)
    },
  }
  return { chain, handler, steps, options: { ...common, worker: () => worker } }
}

test('behavior: a follower that catches up is late only if single blocks take long, not because of their number', async () => {
  const clock = holdClock()
  const { chain, handler, steps, options } = await openChain()
  let [blockMs, late] = [100, 0]
  const slow: BlockHandler = {
    ...handler,
    apply(tx, block) {
      clock.advance(blockMs)
      return handler.apply(tx, block)
    },
  }
  const follower = createFollower({ ...options, handler: slow, onLate: () => late++ })
  async function followTo(head: number): Promise<void> {
    while (chain.head() < head) chain.add([])
    while ((await follower.step(never)) === 'moved');
  }

  await followTo(0)
  await followTo(40)
  expect([late, steps]).toEqual([0, [40]])
  // If a transaction takes more than a second, the next one has at most half of its blocks.
  steps.length = 0
  blockMs = 1_100
  await followTo(72)
  expect([late, steps]).toEqual([3, [20, 10, 2]])
})

test('error: blocks before one that no node can return are still followed', async () => {
  const { chain, handler, options } = await openChain()
  const { blockLogs } = chain.source
  const source: typeof chain.source = {
    ...chain.source,
    async blockLogs(header, ...rest) {
      if (header.number === 40n) throw new BlockUnsettledError({ chain: 'eth', block: header, reasons: ['omitted'] })
      return blockLogs(header, ...rest)
    },
  }
  const follower = createFollower({ ...options, source, handler: { ...handler, topics: null } })
  await follower.step(never)
  while (chain.head() < 60) chain.add([])
  for (let steps = 0; steps < 20; steps++) await follower.step(never).catch(() => undefined)
  expect(await options.db.rows('SELECT block_number FROM chain')).toEqual([[39n]])
})

test('behavior: no logs are read while nothing of the chain is followed', async () => {
  const { chain, handler, options } = await openChain()
  let reads = 0
  const { blockLogs } = chain.source
  const source: typeof chain.source = {
    ...chain.source,
    async blockLogs(...block) {
      reads++
      return blockLogs(...block)
    },
  }
  expect(handler.topics).toEqual([])
  const follower = createFollower({ ...options, source, handler })
  await follower.step(never)
  while (chain.head() < 20) chain.add([])
  while ((await follower.step(never)) !== 'idle');
  expect(await options.db.rows('SELECT block_number FROM chain')).toEqual([[20n]])
  expect(reads).toBe(0)
})

test('behavior: collections ready to join do so at the stored block, before a head is requested', async () => {
  const { handler, options } = await openChain()
  const joined: bigint[] = []
  const joining: BlockHandler = {
    ...handler,
    async join({ number }) {
      joined.push(number)
      return true
    },
  }
  const follower = createFollower({ ...options, handler: joining })
  await follower.step(never)
  options.source.head = () => Promise.reject(new Error('no head'))
  expect(await follower.step(never, true)).toBe('moved')
  expect(joined).toEqual([0n])
  await expect(follower.step(never)).rejects.toThrow('no head')
})
