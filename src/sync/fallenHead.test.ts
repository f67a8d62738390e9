import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { createScriptedChain } from '../../test/scriptedChain.ts'
import { seedCollection } from '../../test/seedCollection.ts'
import { seedLease, seedWorker } from '../../test/seedLease.ts'
import { knownChains } from '../chain/evm/chains.ts'
import type { ContractReader } from '../chain/evm/contracts/contract.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { followCollections } from '../nft/index/followCollections.ts'
import { createNftQuery } from '../nft/pages/createNftQuery.ts'
import { createLog } from '../util/log.ts'
import { insertChain } from './chainStore.ts'
import { createFollower } from './follow.ts'

const address = '0x00000000000000000000000000000000000000aa'
const never = new AbortController().signal

test('behavior: a head below the followed block confirms nothing, and is reported if it stays there', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(() => drop())
  const chain = createScriptedChain(address, 8)
  for (let i = 0; i < 10; i++) chain.add([])
  await insertChain(db, 1n, (await chain.source.identity()).genesisHash, 0n, 0n, 60_000)
  const worker = await seedWorker(db)
  await seedLease(db, 'chain', 1, worker)
  const evm = { ...knownChains[0]!, name: 'eth', configured: false, maxHeadAgeMs: 0 }
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => void lines.push(JSON.parse(line))
  const log = createLog({ level: 'info', mask: (text) => text, destination: { write } })
  const common = { chain: evm, source: chain.source, db, metrics: createMetrics(), log }
  const handler = await followCollections({
    ...common,
    contracts: {} as ContractReader,
    metadataCoolOffMs: 0,
    maxTokens: 1_000,
  })
  let inconsistencies = 0
  const onInconsistency = () => void inconsistencies++
  const follower = createFollower({ ...common, handler, worker: () => worker, onInconsistency })
  const settle = async () => {
    for (let steps = 0; steps < 100; steps++) if ((await follower.step(never)) === 'idle') return
  }
  await settle()
  await seedCollection(db, { address, chain: { block: 10n, head: 10n } })
  const state = () => createNftQuery({ db }).state(1n, address)
  expect(await state()).toMatchObject({ synced: true, reason: null })

  await db.run(`UPDATE chain SET confirmed_at = now() - interval '1 hour'`)
  chain.drop(3)
  await follower.step(never)
  const reason = expect.stringMatching(
    /^the head of eth has been block 7 for long, below the followed block 10.*chains reset eth/,
  )
  expect(await state()).toMatchObject({ synced: false, reason })

  // This may also be another chain, so the service checks the node's identity again.
  const stepAgain = async () => {
    await follower.step(never)
    return inconsistencies
  }
  await expect.poll(stepAgain).toBeGreaterThan(0)

  for (let i = 0; i < 4; i++) chain.add([])
  await settle()
  expect(await state()).toMatchObject({ synced: true, reason: null, toBlock: 11n })
  expect(
    lines.filter(({ event }) => event !== 'chain following started' && String(event).startsWith('chain')),
  ).toMatchObject([
    { level: 'warn', event: 'chain head below followed block', chain: 'eth', head: '7', followed: '10' },
    { level: 'info', event: 'chain following resumed', chain: 'eth' },
  ])
})
