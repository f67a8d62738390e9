import { z } from 'zod'
import { MintmarkError } from '../../util/errors.ts'
import { type AssetDetails, type Coin, coinTypeHash, creatorOf } from './coin.ts'
import { maxUriBytes } from './decodeAssets.ts'
import { cutToBytes, isDecimals, isHex, maxNameBytes, padded } from './moveValues.ts'

/** An invalid coin record: the field, and what is allowed. */
export class CoinRecordError extends MintmarkError {
  readonly code = 'COIN_RECORD'
}

/**
 * Parses a coin from an API record, as JSON or as texts of a CSV file. Ignores unknown fields and supplies, which the chain has. Derived fields
 * (hash, creator of a coin of `0x1::coin`) are optional, but checked. A type that is an address is a fungible asset.
 */
export function parseCoinRecord(record: Record<string, unknown>): Coin {
  const given = textOf(record, 'coin_type')
  const address = padded(given)
  const type = address === undefined ? given : `0x${address}`
  const published = creatorOf(type)
  if (address === undefined && published === undefined)
    throw fault('coin_type', type, 'a type as the chain prints it, or the address of an asset')
  const hash = coinTypeHash(type)
  const givenHash = optional(record.coin_type_hash)?.toLowerCase().replace(/^0x/, '')
  if (givenHash !== undefined && givenHash !== hash)
    throw fault('coin_type_hash', givenHash, `${hash}, the SHA-256 of coin_type`)
  const creator = creatorIn(record, published)
  const digits = optional(record.decimals) ?? ''
  const decimals = /^\d{1,3}$/.test(digits) ? Number(digits) : Number.NaN
  if (!isDecimals(decimals)) throw fault('decimals', record.decimals, 'a whole number from 0 to 255')
  const version = textOf(record, 'transaction_version_created')
  if (!/^\d{1,18}$/.test(version)) throw fault('transaction_version_created', version, 'a version in digits')
  return {
    type,
    hash,
    creator,
    decimals,
    name: cutToBytes(textOf(record, 'name'), maxNameBytes),
    symbol: cutToBytes(textOf(record, 'symbol'), maxNameBytes),
    supply: supplyOf(record),
    asset: address === undefined ? null : detailsOf(record),
    version: BigInt(version),
    createdMicros: microsOf(textOf(record, 'transaction_created_timestamp')),
  }
}

/** `published`: the address in the type of a coin of `0x1::coin`. */
function creatorIn(record: Record<string, unknown>, published: string | undefined): string {
  const text = optional(record.creator_address)?.toLowerCase()
  if (text === undefined && published !== undefined) return published
  const given = padded(text?.startsWith('0x') ? text : `0x${text}`)
  if (given !== undefined && (published === undefined || given === published)) return given
  throw fault(
    'creator_address',
    record.creator_address,
    published === undefined
      ? 'the address of the owner, which an asset does not name'
      : `0x${published}, the address in coin_type`,
  )
}

function detailsOf(record: Record<string, unknown>): AssetDetails {
  const pairedType = optional(record.paired_coin_type) ?? null
  if (pairedType !== null && creatorOf(pairedType) === undefined)
    throw fault('paired_coin_type', pairedType, 'a type as the chain prints it, or nothing')
  return { iconUri: uriOf(record.icon_uri), projectUri: uriOf(record.project_uri), pairedType }
}

function uriOf(value: unknown): string | null {
  return typeof value === 'string' ? cutToBytes(value, maxUriBytes) : null
}

function supplyOf(record: Record<string, unknown>): Coin['supply'] {
  const handle = optional(record.supply_aggregator_table_handle)
  const key = optional(record.supply_aggregator_table_key)
  if (handle === undefined && key === undefined) return null
  if (!isHex(handle))
    throw fault('supply_aggregator_table_handle', handle, '0x and hex digits, or nothing with the key')
  if (!isHex(key)) throw fault('supply_aggregator_table_key', key, '0x and hex digits, or nothing with the handle')
  return { handle, key }
}

/** ISO 8601, also in PostgreSQL's format; up to microseconds, UTC. */
function microsOf(text: string): bigint {
  const match = /^(\d{4}-\d\d-\d\d)[T ]((?:[01]\d|2[0-3]):\d\d:\d\d)(?:\.(\d{1,9}))?(?:Z|[+-]00(?::?00)?)?$/.exec(text)
  const seconds = match ? Date.parse(`${match[1]}T${match[2]}Z`) / 1_000 : Number.NaN
  if (!match || !z.iso.date().safeParse(match[1]).success || !(seconds >= 0))
    throw fault('transaction_created_timestamp', text, 'a time in UTC since 1970 such as 2022-10-19T02:43:38.000000Z')
  return BigInt(seconds) * 1_000_000n + BigInt((match[3] ?? '').padEnd(6, '0').slice(0, 6))
}

function textOf(record: Record<string, unknown>, field: string): string {
  const value = record[field]
  if (typeof value === 'string') return value
  // A larger number has already lost digits.
  if (Number.isSafeInteger(value)) return String(value)
  throw fault(field, value, 'text')
}

/** Missing, null and an empty CSV text are equal. */
function optional(value: unknown): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : String(value)
}

function fault(field: string, value: unknown, allowed: string): CoinRecordError {
  const shown = value === undefined ? 'missing' : JSON.stringify(value).slice(0, 120)
  return new CoinRecordError(`${field} is ${shown}; allowed: ${allowed}`)
}
