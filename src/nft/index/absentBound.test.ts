import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import { historySubject, readWholeHistory, scriptedEth } from '../../../test/historySlice.ts'
import { createScriptedChain } from '../../../test/scriptedChain.ts'
import { seedLease, seedWorker } from '../../../test/seedLease.ts'
import type { ContractReader } from '../../chain/evm/contracts/contract.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { insertChain } from '../../sync/chainStore.ts'
import { createFollower } from '../../sync/follow.ts'
import { partitionOf } from '../../sync/partition.ts'
import { hexToBuffer } from '../../util/hex.ts'
import { noopLog } from '../../util/log.ts'
import { followCollections } from './followCollections.ts'

const address = '0x00000000000000000000000000000000000000aa'
const { signal } = new AbortController()
const maxTokens = 1_000

test('behavior: tokens that history stores during an absence count towards the bound when following resumes', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(() => drop())
  const chain = createScriptedChain(address, 4)
  let minted = 0
  const mint = (blocks: number) => {
    for (let i = 0; i < blocks; i++) chain.add([{ token: minted++, from: 0, to: 1 }])
  }
  await insertChain(db, 1n, (await chain.source.identity()).genesisHash, 0n, 0n)
  const worker = await seedWorker(db)
  const partition = partitionOf(1n, address)
  await seedLease(db, 'chain', 1, worker)
  await seedLease(db, 'partition', partition, worker)
  const [[id] = [0n]] = await db.rows<[bigint]>(
    `INSERT INTO collection (partition, chain_id, address, status, standard, from_block, to_block, coverage)
     VALUES ($2, 1, $1, 'syncing', 'ERC721', 0, 0, '{[0,1)}') RETURNING id`,
    [hexToBuffer(address), partition],
  )
  const common = { chain: scriptedEth, source: chain.source, db, metrics: createMetrics(), log: noopLog }
  const handler = await followCollections({
    ...common,
    contracts: {} as ContractReader,
    metadataCoolOffMs: 0,
    maxTokens,
  })
  const follower = createFollower({ ...common, handler, worker: () => worker })
  const state = async () => (await db.rows('SELECT status, (SELECT count(*)::int FROM token) FROM collection'))[0]
  const settle = async () => {
    await follower.step(signal)
    return state()
  }

  await expect.poll(settle).toEqual(['live', 0])
  mint(20)
  await expect.poll(settle).toEqual(['live', 20])

  mint(maxTokens)
  await follower.step(signal)
  expect(await state()).toEqual(['syncing', 20])
  const [[coverage] = ['']] = await db.rows<[string]>('SELECT upper(coverage)::text FROM collection')
  const read = [{ from: 0n, to: BigInt(coverage) - 1n }]
  const outcome = await readWholeHistory(
    { db, source: chain.source, worker, settings: { rangesInFlight: 2, maxTokens } },
    historySubject({ partition, id, address, coverage: read, fromBlock: 0n }),
  )
  expect(outcome).toBe('complete')
  expect(await state()).toEqual(['syncing', maxTokens])
  await expect.poll(settle).toEqual(['live', maxTokens])
  mint(10)
  await follower.step(signal)
  expect(await state()).toEqual(['live', maxTokens])
})
