import { hash } from 'node:crypto'

/** The first known write of a coin. */
export type Coin = {
  /** As the chain prints it: `0x1::aptos_coin::AptosCoin`. For a fungible asset, the address of its object, 0x and 64 digits. */
  type: string
  /** sha256 of `type`, 64 hex digits. */
  hash: string
  /** 64 hex digits. */
  creator: string
  /** 0 to 255. */
  decimals: number
  name: string
  symbol: string
  /** Aggregator of the supply; null for nearly every coin. */
  supply: { handle: string; key: string } | null
  /** Aggregator of a later write, if the first one had none: `coin::upgrade_supply` moves an integer to an aggregator. */
  upgraded?: { handle: string; key: string }
  /** Null: a coin of `0x1::coin`. */
  asset: AssetDetails | null
  /** Version of the transaction. */
  version: bigint
  /** Time of the transaction in microseconds since 1970. */
  createdMicros: bigint
}

/** Fields of a fungible asset that a coin of `0x1::coin` lacks. */
export type AssetDetails = {
  /** As its creator wrote it; null if it was not a text. */
  iconUri: string | null
  projectUri: string | null
  /** Type of the coin that the asset represents. */
  pairedType: string | null
}

/** First write of each coin, unordered. */
export function firstWrites(coins: Iterable<Coin>): Coin[] {
  const first = new Map<string, Coin>()
  for (const coin of coins) keepFirst(first, coin)
  return [...first.values()]
}

/** Keeps the first write of a coin, by hash, with the aggregator of later ones. */
export function keepFirst(coins: Map<string, Coin>, coin: Coin): void {
  const known = coins.get(coin.hash) ?? coin
  const [first, later] = coin.version < known.version ? [coin, known] : [known, coin]
  const upgraded = first.supply ? undefined : (first.upgraded ?? later.supply ?? later.upgraded)
  coins.set(coin.hash, upgraded ? { ...first, upgraded } : first)
}

/** Known aggregator of the supply. */
export function counterOf({ supply, upgraded }: Coin): Coin['supply'] {
  return supply ?? upgraded ?? null
}

/** A type as Move prints it: an address without leading zeros, module, name, and what is in angle brackets. */
const printed = /^0x([0-9a-f]{1,64})::[\x21-\x7e][\x20-\x7e]*$/

/** The address in a coin's type, padded to 64 digits; undefined if the text is not a type. */
export function creatorOf(coinType: string): string | undefined {
  return printed.exec(coinType)?.[1]?.padStart(64, '0')
}

/** The SHA-256 by which clients request a coin. */
export function coinTypeHash(coinType: string): string {
  return hash('sha256', coinType, 'hex')
}
