import { createCoinRuns } from '../src/coin/coinRuns.ts'
import { type Coin, coinTypeHash } from '../src/coin/decode/coin.ts'
import { openNetwork } from '../src/coin/networkStore.ts'
import { storeCoins } from '../src/coin/storeCoins.ts'
import { storeStates } from '../src/coin/storeStates.ts'
import { createDatabase } from '../src/db/database.ts'
import { noopLog } from '../src/util/log.ts'
import type { SocketConnection } from './temporaryPostgres.ts'

/** Stores coins as long as real ones and as many assets with supplies, all visible. Returns the hashes of the coins. The schema must exist. */
export async function seedBenchCoins(connection: SocketConnection, count: number): Promise<string[]> {
  const db = createDatabase({ connection, poolSize: 1, log: noopLog })
  const coins = Array.from({ length: count }, (_, n) => {
    const creator = coinTypeHash(`creator ${n % 1_000}`)
    const type = `0x${creator}::lp_coin::LP<0x${coinTypeHash(`a ${n}`)}::coin::T, 0x1::aptos_coin::AptosCoin>`
    const version = BigInt(n * 7)
    const createdMicros = 1_666_000_000_000_000n + version * 1_000_000n
    const names = { name: `LiquidLP-${n}-APT-U`, symbol: `LP-${n}` }
    return {
      type,
      hash: coinTypeHash(type),
      creator,
      decimals: 6,
      ...names,
      supply: null,
      asset: null,
      version,
      createdMicros,
    }
  })
  const assets = coins.map(({ version, ...coin }, n): Coin => {
    const type = `0x${coinTypeHash(`asset ${n}`)}`
    const asset = { iconUri: `https://assets.example/${n}.png`, projectUri: 'https://assets.example', pairedType: null }
    return {
      ...coin,
      type,
      hash: coinTypeHash(type),
      name: `Asset ${n}`,
      symbol: `FA${n}`,
      asset,
      version: version + 3n,
    }
  })
  const states = createCoinRuns()
  for (const { hash: subject, version, decimals } of assets)
    states.add([{ subject, version, decimals, supply: version * 1_000_003n, maximum: null, deleted: false }])
  const runs = states.runs()

  const to = BigInt(count * 7)
  const networkId = await openNetwork(db, 'mainnet', 0n)
  for (let i = 0; i < count; i += 5_000)
    await db.transaction(async (tx) => {
      const some = [...coins.slice(i, i + 5_000), ...assets.slice(i, i + 5_000)]
      await storeCoins(tx, { networkId, from: 0n, to: -1n, coins: some })
      await storeStates(tx, { networkId, runs: runs.slice(i, i + 5_000), hasGap: false, forgetTo: undefined })
    })
  await db.run(
    `UPDATE coin_network SET coverage = int8multirange(int8range(0, $2, '[]')), to_version = $2, shown_version = $2,
       head_version = $2, version = version + 1 WHERE id = $1`,
    [networkId, to],
  )
  await db.run('VACUUM ANALYZE coin, coin_state')
  await db.close()
  return coins.map(({ hash }) => hash)
}
