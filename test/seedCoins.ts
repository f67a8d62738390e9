import { createHash } from 'node:crypto'
import { createCoinRuns } from '../src/coin/coinRuns.ts'
import { type Coin, coinTypeHash, creatorOf } from '../src/coin/decode/coin.ts'
import type { CoinState } from '../src/coin/decode/coinState.ts'
import { countWithin, openNetwork, raiseNetworkVersions } from '../src/coin/networkStore.ts'
import { storeCoins } from '../src/coin/storeCoins.ts'
import { storeStates } from '../src/coin/storeStates.ts'
import type { Database } from '../src/db/database.ts'

/** A coin as on chain; `n` identifies it. */
export function seededCoin(n: number, options: Partial<Coin> = {}): Coin {
  const type = options.type ?? `0x${(n + 1).toString(16)}::seed::Coin${n}`
  return {
    type,
    hash: coinTypeHash(type),
    creator: options.creator ?? creatorOf(type)!,
    decimals: 8,
    name: `Coin ${n}`,
    symbol: `C${n}`,
    supply: null,
    asset: null,
    version: BigInt(n),
    createdMicros: 1_666_147_418_000_000n + BigInt(n),
    ...options,
  }
}

/** A fungible asset as on chain; `n` identifies it. */
export function seededAsset(n: number, options: Partial<Coin> = {}): Coin {
  const type = options.type ?? `0x${createHash('sha256').update(`asset ${n}`).digest('hex')}`
  const asset = {
    iconUri: `https://icons.example/${n}.png`,
    projectUri: `https://project.example/${n}`,
    pairedType: null,
  }
  return seededCoin(n, { type, creator: 'a'.padStart(64, '0'), name: `Asset ${n}`, symbol: `A${n}`, asset, ...options })
}

/** The state of a coin after a version. `options` override the state of a coin without a supply. */
export function seededState({ hash, decimals }: Coin, version: bigint, options: Partial<CoinState> = {}): CoinState {
  return { subject: hash, version, decimals, supply: null, maximum: null, deleted: false, ...options }
}

/** Stores coins as if a reader had covered all versions up to `to`, without a lease. Returns the network's id. */
export async function seedCoins(
  db: Database,
  options: {
    network?: string
    coins: readonly Coin[]
    states?: readonly CoinState[]
    from: bigint
    to: bigint
    head?: bigint
  },
): Promise<number> {
  const { network = 'mainnet', coins, states = [], from, to, head = to } = options
  const id = await openNetwork(db, network, 0n)
  await db.transaction(async (tx) => {
    await tx.run(
      `UPDATE coin_network SET coverage = coverage + $2::int8range::int8multirange, to_version = $3, shown_version = $3,
         head_version = $4, chain_id = 1 WHERE id = $1`,
      [id, `[${from},${to}]`, to, head],
    )
    await storeCoins(tx, { networkId: id, from, to, coins })
    const runs = createCoinRuns()
    runs.add(states)
    await storeStates(tx, { networkId: id, runs: runs.runs(), hasGap: false, forgetTo: undefined })
    const shown = await countWithin(tx, id, -1n, to)
    await raiseNetworkVersions(tx, id, {
      ...{ imports: 0, coins: shown.coins > 0, assets: shown.assets > 0, states: states.length > 0 },
    })
  })
  return id
}
