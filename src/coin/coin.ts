/** The first write of a coin, as far as is known. */
export type Coin = {
  /** As the chain prints it: `0x1::aptos_coin::AptosCoin`. */
  type: string
  /** sha256 of `type`, 64 hex digits. */
  hash: string
  /** 64 hex digits. */
  creator: string
  /** 0 to 255. */
  decimals: number
  name: string
  symbol: string
  /** Where the chain counts the supply in parallel; null for nearly every coin. */
  supply: { handle: string; key: string } | null
  /** Of the transaction. */
  version: bigint
  /** Time of the transaction in microseconds since 1970. */
  createdMicros: bigint
}

/** Of each coin the first write; in no order. */
export function firstWrites(coins: Iterable<Coin>): Coin[] {
  const first = new Map<string, Coin>()
  for (const coin of coins) {
    const known = first.get(coin.hash)
    if (!known || coin.version < known.version) first.set(coin.hash, coin)
  }
  return [...first.values()]
}
