import { type Coin, coinTypeHash, creatorOf } from '../src/coin/coin.ts'
import { anyCoinWithin, openNetwork, raiseVersion } from '../src/coin/networkStore.ts'
import { storeCoins } from '../src/coin/storeCoins.ts'
import type { Database } from '../src/db/database.ts'

/** A coin as the chain would write it; `n` names it. */
export function seededCoin(n: number, options: Partial<Coin> = {}): Coin {
  const type = options.type ?? `0x${(n + 1).toString(16)}::seed::Coin${n}`
  return {
    type,
    hash: coinTypeHash(type),
    creator: creatorOf(type)!,
    decimals: 8,
    name: `Coin ${n}`,
    symbol: `C${n}`,
    supply: null,
    version: BigInt(n),
    createdMicros: 1_666_147_418_000_000n + BigInt(n),
    ...options,
  }
}

/** Stores coins as if a reader had covered all versions up to `to`, without a lease; gives the network's id. */
export async function seedCoins(
  db: Database,
  options: { network?: string; coins: readonly Coin[]; from: bigint; to: bigint; head?: bigint },
): Promise<number> {
  const { network = 'mainnet', coins, from, to, head = to } = options
  const id = await openNetwork(db, network, 0n)
  await db.transaction(async (tx) => {
    await tx.run(
      `UPDATE coin_network SET coverage = coverage + $2::int8range::int8multirange, to_version = $3, shown_version = $3,
         head_version = $4, chain_id = 1 WHERE id = $1`,
      [id, `[${from},${to}]`, to, head],
    )
    await storeCoins(tx, { networkId: id, from, to, coins })
    if (await anyCoinWithin(tx, id, -1n, to)) await raiseVersion(tx, id, { imports: 0, rearranged: false })
  })
  return id
}
