import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { seededAsset, seededCoin, seededState } from '../../test/seedCoins.ts'
import { seedLease, seedWorker } from '../../test/seedLease.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { createCoinRuns } from './coinRuns.ts'
import { commitVersions } from './commitVersions.ts'
import type { Network } from './createNetwork.ts'
import { aggregatorHash, type CoinState } from './decode/coinState.ts'
import { importCoins } from './importCoins.ts'
import { openNetwork } from './networkStore.ts'
import { createCoinQuery } from './pages/createCoinQuery.ts'

/** A network that is read from version `from` on, by a process that holds it. */
async function openReader(from: bigint) {
  const { db, drop } = await createTestDatabase()
  onTestFinished(drop)
  const id = await openNetwork(db, 'mainnet', from)
  const worker = await seedWorker(db)
  await seedLease(db, 'aptos', id, worker)
  const options = {
    network: { id, name: 'mainnet' } as Network,
    db,
    metrics: createMetrics(),
    worker: () => worker,
    leftOut: () => undefined,
  }
  return { db, id, options, query: createCoinQuery({ db }) }
}

test('behavior: coins that were read beyond a gap are shown once reading begins there, and cached pages become stale', async () => {
  const { db, options, query } = await openReader(0n)
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

test('behavior: of a coin that a file brings later, what the chain wrote after its creation is known', async () => {
  const { db, id, options, query } = await openReader(10n)
  const [handle, key] = ['1b'.padStart(64, '0'), '61'.padStart(64, '0')]
  const asset = seededAsset(1)
  const coin = seededCoin(2)
  const upgraded = { ...coin, version: 12n, supply: { handle: `0x${handle}`, key: `0x${key}` } }
  const counted: CoinState = {
    ...{
      subject: aggregatorHash(handle, key),
      version: 12n,
      decimals: null,
      supply: 77n,
      maximum: null,
      deleted: false,
    },
  }
  const runs = createCoinRuns()
  runs.add([seededState(asset, 11n, { decimals: null, deleted: true }), seededState(coin, 12n), counted])
  await commitVersions(options, { from: 10n, to: 19n }, { coins: [upgraded], runs: runs.runs(), head: 19n, live: true })
  expect(await importCoins(db, id, [asset, coin])).toEqual({ added: 2, replaced: 0 })
  const state = (await query.network('mainnet'))!
  const { records } = await query.latest({ state, after: null, offset: 0, limit: 9, standard: 'all' })
  expect(records.map((text) => JSON.parse(text))).toMatchObject([
    { coin_type: coin.type, supply: '77', transaction_version_created: '2' },
    { coin_type: asset.type, deleted: true },
  ])
})
