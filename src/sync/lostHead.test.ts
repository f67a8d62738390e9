import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { lockWaits } from '../../test/lockWaits.ts'
import { createScriptedChain } from '../../test/scriptedChain.ts'
import { knownChains } from '../chain/evm/chains.ts'
import type { ContractReader } from '../chain/evm/contracts/contract.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { followCollections } from '../nft/index/followCollections.ts'
import { noopLog } from '../util/log.ts'
import { confirmHead, insertChain, noteChainFailure, noteHead } from './chainStore.ts'
import { createFollower } from './follow.ts'

const never = new AbortController().signal

test('error: a process that lost the chain or whose cursor was moved confirms no head', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(() => drop())
  const chain = createScriptedChain('0x00000000000000000000000000000000000000aa', 8)
  for (let i = 0; i < 10; i++) chain.add([])
  await insertChain(db, 1n, (await chain.source.identity()).genesisHash, 0n, 0n, 60_000)
  const workers = await db.rows<[number]>(
    `INSERT INTO worker (host, pid) VALUES ('test', 1), ('other', 2) RETURNING id`,
  )
  const [own, other] = workers.map(([id]) => id)
  await db.run(`INSERT INTO lease (kind, key) VALUES ('chain', 1)`)
  const hold = (worker: number) => db.run('UPDATE lease SET worker_id = $1', [worker])
  await hold(own!)
  const evm = { ...knownChains[0]!, name: 'eth', configured: false }
  const common = { chain: evm, source: chain.source, db, metrics: createMetrics(), log: noopLog }
  const handler = await followCollections({
    ...common,
    contracts: {} as ContractReader,
    metadataCoolOffMs: 0,
    maxTokens: 1_000,
  })
  const follower = createFollower({ ...common, handler, worker: () => own })
  while ((await follower.step(never)) === 'moved');
  const state = async () =>
    (await db.rows('SELECT head_number, failure, contradicted, confirmed_at < now() FROM chain'))[0]
  await db.run(
    `UPDATE chain SET head_number = 12, failure = 'of the other', contradicted = true, confirmed_at = now() - interval '1 day'`,
  )

  await hold(other!)
  await follower.step(never)
  expect(await state()).toEqual([12n, 'of the other', true, true])

  await hold(own!)
  const { head } = chain.source
  chain.source.head = async () => {
    await db.run(`UPDATE chain SET block_hash = '\\x01'`)
    return head()
  }
  await follower.step(never)
  expect(await state()).toEqual([12n, 'of the other', true, true])
})

test('error: a process that loses the chain while it confirms a head, for example when frozen, rolls that back', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(() => drop())
  await insertChain(db, 1n, '0x00', 5n, 5n)
  const [[own] = [0], [other] = [0]] = await db.rows<[number]>(
    `INSERT INTO worker (host, pid) VALUES ('test', 1), ('other', 2) RETURNING id`,
  )
  await db.run(`INSERT INTO lease (kind, key, worker_id) VALUES ('chain', 1, $1)`, [own])
  await db.run(`UPDATE chain SET block_hash = '\\x01', head_number = 9`)
  const reported = { chainId: 1n, worker: own, cursor: '0x01', head: 12n } as const
  const works = [
    () => confirmHead(db, reported),
    () => noteHead(db, reported),
    () => noteChainFailure(db, { chainId: 1n, worker: own, failure: 'of the other', contradicted: true }),
  ]
  for (const work of works) {
    let done: Promise<unknown> | undefined
    await db.transaction(async (tx) => {
      await tx.run('UPDATE chain SET finalized_number = 6')
      done = work()
      await expect.poll(() => lockWaits(db)).toBe(1)
      await db.run('UPDATE lease SET worker_id = $1', [other])
    })
    expect(await done).not.toBe(true)
    expect(await db.rows('SELECT head_number, failure, contradicted FROM chain')).toEqual([[9n, null, false]])
    await db.run('UPDATE lease SET worker_id = $1', [own])
  }
  expect(await confirmHead(db, reported)).toBe(true)
})
