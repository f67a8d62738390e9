import type { AptosTransaction, WantedChanges } from '../../chain/aptos/source.ts'
import { maxU128, parseU128 } from '../../chain/aptos/u128.ts'
import { type Coin, coinTypeHash, creatorOf } from './coin.ts'
import { aggregatorHash, aggregatorTable, type CoinState } from './coinState.ts'
import { assetResources, decodeAssets } from './decodeAssets.ts'
import { cutToBytes, fieldsOf, firstOf, isDecimals, isHex, maxNameBytes, padded } from './moveValues.ts'

/** The resource of every coin; the coin's type is in angle brackets. */
export const coinInfoPrefix = '0x1::coin::CoinInfo<'

/** Parts of transactions that a source must return for coins. */
export const wantedChanges: WantedChanges = {
  resources: [
    coinInfoPrefix,
    assetResources.metadata,
    assetResources.supply,
    assetResources.concurrentSupply,
    assetResources.pairedType,
  ],
  beside: assetResources.object,
  deleted: assetResources.group,
  table: aggregatorTable,
}

/** An unreadable write, for the log. */
export type SkippedWrite = { version: string; type: string }

/** Created and changed coins of transactions. */
export type DecodedCoins = { coins: Coin[]; states: CoinState[] }

/**
 * Coins written by transactions, and the resulting supplies and decimals, in order. Failed transactions only write fees, and other kinds than these
 * two create no coins; both change supplies, as fees are burned and rewards are minted.
 */
export function decodeCoins(
  transactions: readonly AptosTransaction[],
  onSkip: (skipped: SkippedWrite) => void,
): DecodedCoins {
  const coins: Coin[] = []
  const states: CoinState[] = []
  // Nearly every transaction changes the same one.
  const aggregators = new Map<string, string>()
  for (const transaction of transactions) {
    const skip = (type: string) => onSkip({ version: String(transaction.version), type: type.slice(0, 300) })
    for (const write of transaction.writes) {
      if (!write.type.startsWith(coinInfoPrefix)) continue
      const decoded = decodeCoin(write.type, write.data, transaction)
      if (!decoded) {
        if (makesCoins(transaction)) skip(write.type)
        continue
      }
      if (makesCoins(transaction)) coins.push(decoded.coin)
      states.push(decoded.state)
      if (decoded.isFaulty) skip(`supply of ${write.type}`)
    }
    for (const { handle, key, value } of transaction.items) {
      const name = `${handle} ${key}`
      const subject = aggregators.get(name) ?? subjectOf(handle, key)
      if (subject === undefined || value === undefined) {
        skip(`item ${key} of ${handle}`)
        continue
      }
      aggregators.set(name, subject)
      states.push({
        subject,
        version: transaction.version,
        decimals: null,
        supply: value,
        maximum: null,
        deleted: false,
      })
    }
    if (transaction.writes.length === 0 && transaction.deleted.length === 0) continue
    const assets = decodeAssets(transaction)
    for (const coin of assets.coins) coins.push(coin)
    for (const state of assets.states) states.push(state)
    for (const type of assets.skipped) skip(type)
  }
  return { coins, states }
}

function subjectOf(handle: string, key: string): string | undefined {
  const [table, place] = [padded(handle), padded(key)]
  return table === undefined || place === undefined ? undefined : aggregatorHash(table, place)
}

function makesCoins({ kind, success }: AptosTransaction): boolean {
  return kind !== 'other' && success
}

function decodeCoin(
  resource: string,
  data: unknown,
  { version, timestampMicros }: AptosTransaction,
): { coin: Coin; state: CoinState; isFaulty: boolean } | undefined {
  const type = resource.slice(coinInfoPrefix.length, -1)
  const creator = resource.endsWith('>') ? creatorOf(type) : undefined
  const { decimals, name, symbol, supply: option } = fieldsOf(data)
  if (creator === undefined || !isDecimals(decimals) || typeof name !== 'string' || typeof symbol !== 'string')
    return undefined
  const hash = coinTypeHash(type)
  const { aggregator, supply, maximum, isFaulty } = supplyOf(option)
  return {
    coin: {
      ...{ type, hash, creator, decimals },
      name: cutToBytes(name, maxNameBytes),
      symbol: cutToBytes(symbol, maxNameBytes),
      ...{ supply: aggregator, asset: null, version, createdMicros: timestampMicros },
    },
    state: { subject: hash, version, decimals, supply, maximum, deleted: false },
    isFaulty,
  }
}

/**
 * `{vec: [{aggregator: {vec: [{handle, key}]}, integer: {vec: [{value, limit}]}}]}`: an option of an OptionalAggregator, whose value
 * `coin::coin_supply` reads; empty if the coin does not count its supply.
 */
function supplyOf(option: unknown): Pick<CoinState, 'supply' | 'maximum'> & {
  aggregator: Coin['supply']
  isFaulty: boolean
} {
  const counted = fieldsOf(firstOf(option))
  const { handle, key } = fieldsOf(firstOf(counted.aggregator))
  const aggregator = isHex(handle) && isHex(key) ? { handle, key } : null
  const integer = firstOf(counted.integer)
  const { value, limit } = fieldsOf(integer)
  const supply = parseU128(value)
  const bound = parseU128(limit)
  const maximum = bound === undefined || bound === maxU128 ? null : bound
  return {
    aggregator,
    supply: aggregator ? null : (supply ?? null),
    maximum,
    isFaulty: integer !== undefined && supply === undefined,
  }
}
