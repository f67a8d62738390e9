import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../test/database.ts'
import { seededAsset, seededCoin, seededState } from '../../test/seedCoins.ts'
import { seedLease, seedWorker } from '../../test/seedLease.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { createCoinRuns } from './coinRuns.ts'
import { commitVersions } from './commitVersions.ts'
import type { Network } from './createNetwork.ts'
import type { Coin } from './decode/coin.ts'
import { aggregatorHash, type CoinState } from './decode/coinState.ts'
import { importCoins } from './importCoins.ts'
import { openNetwork } from './networkStore.ts'
import { createCoinQuery } from './pages/createCoinQuery.ts'
import { stateVersion } from './query.ts'

/** A network that is read from version `from` on, by the process that holds its lease. */
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
    skipped: () => undefined,
  }
  return { db, id, options, query: createCoinQuery({ db }) }
}

test('behavior: coins read beyond a gap are listed once reading begins there, and cached pages become stale', async () => {
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

test('behavior: a coin imported from a file later gets the changes that the chain made after its creation', async () => {
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

/** Returns a client's view of both standards, and the version that its cached pages depend on. */
async function lookAt(query: Awaited<ReturnType<typeof openReader>>['query']) {
  const state = (await query.network('mainnet'))!
  const { records } = await query.latest({ state, after: null, offset: 0, limit: 9, standard: 'all' })
  return { version: stateVersion(state), coins: records.map((text) => JSON.parse(text) as Record<string, unknown>) }
}

test('behavior: an object deleted before its creation is read becomes a deleted asset if reading restarts from an earlier version', async () => {
  const { db, options, query } = await openReader(100n)
  const read = async (from: bigint, to: bigint, coins: Coin[], states: CoinState[]) => {
    const runs = createCoinRuns()
    runs.add(states)
    await commitVersions(options, { from, to }, { coins, runs: runs.runs(), head: 200n, live: false })
  }
  await read(100n, 200n, [], [])
  await openNetwork(db, 'mainnet', 0n)
  const asset = seededAsset(1)
  const other = seededState(seededAsset(2), 71n, { decimals: null, deleted: true })
  await read(50n, 99n, [], [seededState(asset, 70n, { decimals: null, deleted: true }), other])
  await read(0n, 49n, [asset], [seededState(asset, 1n, { supply: 5n })])
  expect((await lookAt(query)).coins).toMatchObject([{ coin_type: asset.type, deleted: true, supply: null }])
  // The other object is not an asset, as every version was read.
  expect(await db.rows('SELECT version FROM coin_state ORDER BY version')).toEqual([[1n], [70n]])
})

test('behavior: cached pages become stale when reading the start version makes earlier-read coins visible', async () => {
  const { db, options, query } = await openReader(0n)
  const read = (from: bigint, to: bigint, coins: Coin[]) =>
    commitVersions(options, { from, to }, { coins, runs: [], head: to, live: false })
  await read(30n, 39n, [seededCoin(1, { version: 35n })])
  await openNetwork(db, 'mainnet', 50n)
  const before = await lookAt(query)
  expect(before.coins).toEqual([])
  await read(50n, 59n, [])
  const after = await lookAt(query)
  expect(after.coins).toHaveLength(1)
  expect(after.version).toBeGreaterThan(before.version)
})

test('behavior: objects that are not assets are deleted once all versions are read, even if the start version changed', async () => {
  const { db, options } = await openReader(0n)
  const read = async (version: bigint) => {
    const runs = createCoinRuns()
    runs.add([seededState(seededAsset(Number(version)), version, { decimals: null, deleted: true })])
    const range = { from: version, to: version }
    await commitVersions(options, range, { coins: [], runs: runs.runs(), head: version, live: true })
  }
  await read(0n)
  await openNetwork(db, 'mainnet', 1n)
  await read(1n)
  await openNetwork(db, 'mainnet', 0n)
  await read(2n)
  expect(await db.rows('SELECT version FROM coin_state')).toEqual([])
})

test('behavior: an imported coin stays listed once the chain confirms it, even before earlier versions are read', async () => {
  const { db, id, options, query } = await openReader(0n)
  const [right, late, invented] = [seededCoin(15), seededAsset(16), seededCoin(17)]
  await importCoins(db, id, [right, { ...late, version: 18n }, invented])
  const listed = async () =>
    (await lookAt(query)).coins.map((coin) => `${coin.coin_type} ${coin.transaction_version_created}`)
  expect(await listed()).toEqual([`${late.type} 18`, `${invented.type} 17`, `${right.type} 15`])
  await commitVersions(options, { from: 10n, to: 19n }, { coins: [right, late], runs: [], head: 19n, live: false })
  expect((await query.network('mainnet'))!.toVersion).toBe(null)
  expect(await listed()).toEqual([`${late.type} 16`, `${right.type} 15`])
  // The creation turns out to be even earlier.
  const first = { ...right, version: 5n }
  await commitVersions(options, { from: 3n, to: 9n }, { coins: [first], runs: [], head: 19n, live: false })
  expect(await listed()).toEqual([`${late.type} 16`, `${right.type} 5`])
})

test.each(['before', 'after'] as const)(
  'behavior: a file without paired types, imported %s the chain is read, removes no paired type',
  async (when) => {
    const { db, id, options, query } = await openReader(10n)
    const coin = seededCoin(1)
    const pairedType = coin.type
    const asset = seededAsset(2)
    const bare = { ...asset, asset: { iconUri: null, projectUri: null, pairedType: null } }
    const written = { ...asset, version: 12n, asset: { iconUri: 'https://icon.example', projectUri: '', pairedType } }
    const runs = createCoinRuns()
    runs.add([seededState(coin, 11n, { supply: 5n }), seededState(asset, 12n, { supply: 2n })])
    const read = () =>
      commitVersions(
        options,
        { from: 10n, to: 19n },
        { coins: [{ ...coin, version: 11n }, written], runs: runs.runs(), head: 19n, live: true },
      )
    if (when === 'after') await read()
    await importCoins(db, id, [coin, bare])
    if (when === 'before') await read()
    expect((await lookAt(query)).coins).toMatchObject([
      { transaction_version_created: '2', paired_coin_type: coin.type, icon_uri: 'https://icon.example' },
      { transaction_version_created: '1', paired_asset_type: asset.type, supply: '7' },
    ])
  },
)

test('behavior: a coin read beyond a gap is listed once a file imports it, and cached pages become stale', async () => {
  const { db, id, options, query } = await openReader(0n)
  const coin = seededCoin(15)
  await commitVersions(options, { from: 10n, to: 19n }, { coins: [coin], runs: [], head: 19n, live: false })
  const before = await lookAt(query)
  expect(before.coins).toEqual([])
  expect(await importCoins(db, id, [coin])).toEqual({ added: 0, replaced: 0 })
  const after = await lookAt(query)
  expect(after.coins).toMatchObject([{ coin_type: coin.type, transaction_version_created: '15' }])
  expect(after.version).toBeGreaterThan(before.version)
  expect((await query.network('mainnet'))!.imports).toBe(0n)
})

test('behavior: if the first versions are not read, deletions of unknown objects are kept for ten million versions', async () => {
  const { db, options } = await openReader(100n)
  const commit = (version: bigint, state?: CoinState) => {
    const runs = createCoinRuns()
    if (state) runs.add([state])
    return commitVersions(
      options,
      { from: version, to: version },
      { coins: [], runs: runs.runs(), head: version, live: true },
    )
  }
  for (const version of [100n, 101n])
    await commit(version, seededState(seededAsset(Number(version)), version, { decimals: null, deleted: true }))
  await commit(10_000_100n)
  expect(await db.rows('SELECT version FROM coin_state')).toEqual([[101n]])
})
