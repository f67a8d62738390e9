import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { holdClock } from '../../test/holdClock.ts'
import { createScriptedChain } from '../../test/scriptedChain.ts'
import { seedLease, seedWorker } from '../../test/seedLease.ts'
import { knownChains } from '../chain/evm/chains.ts'
import type { ContractReader } from '../chain/evm/contracts/contract.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { followCollections } from '../nft/index/followCollections.ts'
import { silentLog } from '../util/log.ts'
import type { BlockHandler } from './blockHandler.ts'
import { insertChain } from './chainStore.ts'
import { createFollower } from './follow.ts'

test('behavior: a follower that catches up is not late for the number of its blocks, only where each takes long', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(() => drop())
  const clock = holdClock()
  // Its blocks come every second.
  const chain = createScriptedChain('0x00000000000000000000000000000000000000aa', 40)
  await insertChain(db, 1n, (await chain.source.identity()).genesisHash, 0n, 0n)
  const worker = await seedWorker(db)
  await seedLease(db, 'chain', 1, worker)
  const evm = { ...knownChains[0]!, name: 'eth', configured: false }
  const common = { chain: evm, source: chain.source, db, metrics: createMetrics(), log: silentLog }
  const collections = await followCollections({
    ...common,
    contracts: {} as ContractReader,
    metadataCoolOffMs: 0,
    maxTokens: 1_000,
  })
  let [blockMs, late, blocks] = [100, 0, 0]
  const handler: BlockHandler = {
    ...collections,
    apply(tx, block) {
      clock.advance(blockMs)
      blocks++
      return collections.apply(tx, block)
    },
  }
  const follower = createFollower({ ...common, handler, onLate: () => late++, worker: () => worker })
  async function followTo(head: number): Promise<void> {
    while (chain.head() < head) chain.add([])
    while ((await follower.step(AbortSignal.timeout(60_000))) === 'moved');
  }

  await followTo(0)
  await followTo(40)
  expect([late, blocks]).toEqual([0, 40])
  blockMs = 1_100
  await followTo(72)
  expect([late, blocks]).toEqual([2, 72])
})
