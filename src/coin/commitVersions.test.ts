import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { seededCoin } from '../../test/seedCoins.ts'
import { seedLease, seedWorker } from '../../test/seedLease.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { commitVersions } from './commitVersions.ts'
import type { Network } from './createNetwork.ts'
import { openNetwork } from './networkStore.ts'
import { createCoinQuery } from './pages/createCoinQuery.ts'

test('behavior: coins that were read beyond a gap are shown once reading begins there, and cached pages become stale', async () => {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const id = await openNetwork(db, 'mainnet', 0n)
  const worker = await seedWorker(db)
  await seedLease(db, 'aptos', id, worker)
  const options = {
    network: { id, name: 'mainnet' } as Network,
    db,
    metrics: createMetrics(),
    worker: () => worker,
    leftOut: () => undefined,
  }
  const query = createCoinQuery({ db })
  const look = async () => {
    const state = (await query.network('mainnet'))!
    const { records } = await query.latest({ state, after: null, offset: 0, limit: 9, standard: null })
    return { version: state.version, coins: records.length, covered: state.toVersion }
  }

  await commitVersions(
    options,
    { from: 10n, to: 19n },
    { coins: [seededCoin(1, { version: 15n })], runs: [], head: 19n, live: false },
  )
  const before = await look()
  expect(before).toMatchObject({ coins: 0, covered: null })
  await openNetwork(db, 'mainnet', 10n)
  const opened = await look()
  expect(opened).toMatchObject({ coins: 1, covered: 19n })
  expect(opened.version).toBeGreaterThan(before.version)
  await commitVersions(options, { from: 20n, to: 20n }, { coins: [], runs: [], head: 20n, live: true })
  expect(await look()).toEqual({ ...opened, covered: 20n })
})
