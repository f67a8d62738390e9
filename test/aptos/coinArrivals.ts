import { createCoinRuns } from '../../src/coin/coinRuns.ts'
import { commitVersions } from '../../src/coin/commitVersions.ts'
import type { Network } from '../../src/coin/createNetwork.ts'
import type { Coin } from '../../src/coin/decode/coin.ts'
import { importCoins } from '../../src/coin/importCoins.ts'
import { openNetwork, readNetworkRow } from '../../src/coin/networkStore.ts'
import { createCoinQuery } from '../../src/coin/pages/createCoinQuery.ts'
import type { NetworkState } from '../../src/coin/query.ts'
import type { Database } from '../../src/db/database.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import type { Random } from '../random.ts'
import { seededAsset, seededCoin, seededState } from '../seedCoins.ts'
import { seedLease, seedWorker } from '../seedLease.ts'

/** Adds coins to a network in every possible way, as a reader and an import store them, but without a chain. */
export type CoinArrivals = {
  /** Does one of the possible changes at random. */
  happen(): Promise<void>
  state(): Promise<NetworkState>
  /** All visible records of coins of `0x1::coin`, in the order of pages, read directly from the table. */
  records(): Promise<string[]>
  /** The records of both standards with their further fields, read by one statement. */
  fullRecords(): Promise<string[]>
}

const network = 'mainnet'

/** The first version that is read. A restart can begin earlier. */
const firstStart = 100n

export async function createCoinArrivals(db: Database, random: Random): Promise<CoinArrivals> {
  const id = await openNetwork(db, network, firstStart)
  await db.run('UPDATE coin_network SET chain_id = 1')
  const worker = await seedWorker(db)
  await seedLease(db, 'aptos', id, worker)
  const query = createCoinQuery({ db })
  const options = {
    network: { id, name: network } as Network,
    db,
    metrics: createMetrics(),
    worker: () => worker,
    skipped: () => undefined,
  }
  let types = 0
  /** The coins that each version writes: new coins and assets, and earlier ones again. */
  const written = new Map<bigint, Coin[]>()
  /** Every third coin is an asset. Some assets represent the previous coin. */
  function coinOf(n: number, version: bigint): Coin {
    if (n % 3 !== 2) return seededCoin(n, { version })
    const pairedType = n % 2 === 0 ? seededCoin(n - 1).type : null
    return seededAsset(n, { version, asset: { iconUri: null, projectUri: null, pairedType } })
  }

  function writesOf(version: bigint): Coin[] {
    const known = written.get(version)
    if (known) return known
    const coins: Coin[] = []
    while (random.chance(0.4)) coins.push(coinOf(types++, version))
    if (types > 0 && random.chance(0.3)) coins.push(coinOf(random.int(types), version))
    written.set(version, coins)
    return coins
  }

  /** Reads a new range: usually the next one, or a later one, which leaves a gap. */
  async function read(): Promise<void> {
    const { fromVersion, toVersion, coverage } = await readNetworkRow(db, id)
    const next = (toVersion ?? fromVersion - 1n) + 1n
    const from = next + (random.chance(0.3) ? BigInt(random.int(30)) : 0n)
    const limit = coverage.find((range) => range.to >= from)
    if (limit && limit.from <= from) return
    const wished = from + BigInt(random.int(12))
    const to = limit && wished >= limit.from ? limit.from - 1n : wished
    const coins: Coin[] = []
    for (let version = from; version <= to; version++) for (const coin of writesOf(version)) coins.push(coin)
    const first = [...new Map(coins.toReversed().map((coin) => [coin.hash, coin])).values()]
    const runs = createCoinRuns()
    for (const coin of coins) runs.add([seededState(coin, coin.version, { supply: coin.version })])
    const live = random.chance(0.5)
    await commitVersions(options, { from, to }, { coins: first, runs: runs.runs(), head: to, live })
  }

  /** Imports coins as from a file: with right and wrong versions, known and unknown coins. */
  async function bring(): Promise<void> {
    const coins = Array.from({ length: 1 + random.int(6) }, () =>
      coinOf(random.chance(0.5) ? types++ : random.int(types + 1), BigInt(random.int(400))),
    )
    await importCoins(db, id, coins)
  }

  /** Restarts with another first version: an earlier one, or the start of a range beyond a gap. */
  async function restart(): Promise<void> {
    const { coverage } = await readNetworkRow(db, id)
    await openNetwork(db, network, random.pick([0n, 60n, firstStart, ...coverage.map(({ from }) => from)]))
  }

  return {
    async happen() {
      if (random.chance(0.8)) await read()
      else if (random.chance(0.7)) await bring()
      else await restart()
    },
    state: async () => (await query.network(network))!,
    async records() {
      const rows = await db.rows<[string]>(
        `SELECT c.record FROM coin c JOIN coin_network n ON n.id = c.network_id
         WHERE n.id = $1 AND c.standard = 1 AND c.shown AND (c.version <= n.shown_version OR c.early) ORDER BY c.version DESC, c.coin_type_hash`,
        [id],
      )
      return rows.map(([record]) => record)
    },
    async fullRecords() {
      const state = (await query.network(network))!
      return (await query.latest({ state, after: null, offset: 0, limit: 100_000, standard: 'all' })).records
    },
  }
}
