import type { Random } from '../random.ts'
import type { AptosChain } from './aptosChain.ts'
import { type InventedCoin, inventTransaction } from './inventedTransaction.ts'

/** The content of the chain, recorded while the test makes it: the first write of each coin. */
export type CoinTruth = Map<string, { version: bigint; coin: InventedCoin; timestampMicros: bigint }>

/** Adds transactions: new coins, later writes of old coins, failed transactions, transfers and blocks. */
export function makeCoins(chain: AptosChain, truth: CoinTruth, random: Random, count: number): void {
  for (let i = 0; i < count; i++) {
    const kind = random.chance(0.2) ? 'block' : 'user'
    const success = kind === 'block' || random.chance(0.8)
    const coins: InventedCoin[] = []
    if (kind === 'user' && random.chance(0.3)) coins.push(newCoin(random))
    const old = [...truth.values()]
    // Every mint of a coin without a parallel supply writes it again.
    if (kind === 'user' && old.length > 0 && random.chance(0.4))
      coins.push({ ...random.pick(old).coin, decimals: random.int(19) })
    const timestampMicros = 1_700_000_000_000_000n + BigInt(chain.transactions.length) * 137_000n
    const version = chain.add(inventTransaction({ coins, kind, success, timestampMicros }))
    if (kind !== 'user' || !success) continue
    for (const coin of coins) if (!truth.has(coin.type)) truth.set(coin.type, { version, coin, timestampMicros })
  }
}

function newCoin(random: Random): InventedCoin {
  const address = (random.uint256() >> BigInt(random.int(200))).toString(16)
  const inner = random.chance(0.5) ? `<0x${random.int(255).toString(16)}::a::B, 0x1::aptos_coin::AptosCoin>` : ''
  return {
    type: `0x${address}::coin${random.int(1_000_000)}::Coin${inner}`,
    decimals: random.int(19),
    name: `Coin ${random.int(1_000_000)} ü`,
    symbol: 'SYM',
    ...(random.chance(0.1) ? { supply: { handle: '0x1b85', key: '0x619d' } } : {}),
  }
}
