import type { AptosTransaction } from '../chain/aptos/source.ts'
import { type Coin, coinTypeHash, creatorOf } from './coin.ts'

/** The resource that every coin is; the coin's type stands between the angle brackets. */
export const coinInfoPrefix = '0x1::coin::CoinInfo<'

/** The chain takes names and symbols of at most 32 bytes (coin.move, MAX_COIN_NAME_LENGTH and MAX_COIN_SYMBOL_LENGTH). */
export const maxNameBytes = 32

/** The coins that transactions wrote. Failed ones wrote nothing but fees, and other kinds than these two write no coin. */
export function decodeCoins(
  transactions: readonly AptosTransaction[],
  onSkip: (skipped: { version: string; type: string }) => void,
): Coin[] {
  const coins: Coin[] = []
  for (const transaction of transactions) {
    if (transaction.kind === 'other' || !transaction.success) continue
    for (const write of transaction.writes) {
      if (!write.type.startsWith(coinInfoPrefix)) continue
      const coin = decodeCoin(write.type, write.data, transaction)
      if (coin) coins.push(coin)
      else onSkip({ version: String(transaction.version), type: write.type.slice(0, 300) })
    }
  }
  return coins
}

function decodeCoin(resource: string, data: unknown, transaction: AptosTransaction): Coin | undefined {
  const type = resource.slice(coinInfoPrefix.length, -1)
  const creator = resource.endsWith('>') ? creatorOf(type) : undefined
  const { decimals, name, symbol, supply } = fieldsOf(data)
  if (creator === undefined || !isDecimals(decimals) || typeof name !== 'string' || typeof symbol !== 'string')
    return undefined
  return {
    type,
    hash: coinTypeHash(type),
    creator,
    decimals,
    name: cutToBytes(name, maxNameBytes),
    symbol: cutToBytes(symbol, maxNameBytes),
    supply: supplyOf(supply),
    version: transaction.version,
    createdMicros: transaction.timestampMicros,
  }
}

export function isDecimals(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255
}

/** `{vec: [{aggregator: {vec: [{handle, key}]}}]}`: an option of a struct of options. */
function supplyOf(supply: unknown): Coin['supply'] {
  const { aggregator } = fieldsOf(firstOf(supply))
  const { handle, key } = fieldsOf(firstOf(aggregator))
  return isHex(handle) && isHex(key) ? { handle, key } : null
}

export function isHex(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)
}

function firstOf(option: unknown): unknown {
  const { vec } = fieldsOf(option)
  return Array.isArray(vec) ? vec[0] : undefined
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** As much of a text as `limit` bytes of UTF-8 hold, no character cut in half. */
export function cutToBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= limit) return text
  let end = limit
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}
