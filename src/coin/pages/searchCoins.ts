import type { Database, Sql } from '../../db/database.ts'
import { type Finder, type Found, type SearchOptions, searchWithin } from '../../db/searchWithin.ts'
import { coinTypeHash, creatorOf } from '../decode/coin.ts'
import { padded } from '../decode/moveValues.ts'

/** A found coin. */
export type FoundCoin = {
  /** Configured name. */
  network: string
  standard: 'v1' | 'v2'
  coinType: string
  /** 64 hex digits. */
  coinTypeHash: string
  name: string
  symbol: string
}

/** Latest coins of a network that are scanned for a text within type, name or symbol. */
const mostLookedAt = 10_000

/** Characters of types, names and symbols in `coin_begin`, `coin_name` and `coin_symbol`. */
const indexedLength = 100

/**
 * A field of a record of `c` as JSON. Quotes inside JSON texts are escaped, so the next unescaped quote ends the value. Takes a hundredth of the time
 * of a regular expression. The indexes use the same SQL.
 */
const fields = {
  type: `split_part(c.record, '"', 4)`,
  name: `split_part(split_part(c.record, ',"name":"', 2), '","supply_aggregator_table_handle":', 1)`,
  symbol: `split_part(split_part(c.record, ',"symbol":"', 2), '","transaction_created_timestamp":', 1)`,
}

const isListed = 'c.shown AND (c.version <= n.shown_version OR c.early)'

/**
 * Finds coins by type, address or their hash, or by a prefix of these, the name or the symbol. Of the latest coins, it also finds a text within
 * these.
 */
export function searchCoins(db: Database, options: SearchOptions): Promise<Found<FoundCoin>> {
  const { text } = options
  const finders: Finder<FoundCoin>[] = [beginningWith('symbol', text), beginningWith('name', text), within(text)]
  const address = padded(text.toLowerCase())
  if (/^0x/i.test(text)) for (const type of typesOf(text)) finders.unshift(beginningWith('type', type))
  if (address !== undefined) finders.unshift(byHash(coinTypeHash(`0x${address}`)))
  const hash = creatorOf(text) === undefined ? hashPrefix(text) : coinTypeHash(text)
  if (hash !== undefined) finders.unshift(byHash(hash))
  return searchWithin(db, options, (coin) => `${coin.network} ${coin.coinTypeHash}`, finders)
}

/** The text as a hash prefix; undefined for other texts, and for short ones, which are probably words. */
function hashPrefix(text: string): string | undefined {
  return /^(?:0x)?([0-9a-f]{6,64})$/i.exec(text)?.[1]?.toLowerCase()
}

/** Possible prefixes of types for a text: with an address, which the chain prints with leading zeros for an asset and without them within a type. */
function typesOf(text: string): string[] {
  const lower = text.replace(/^0x[0-9a-f]*/i, (address) => address.toLowerCase())
  return [...new Set([lower, lower.replace(/^0x0+(?=[0-9a-f])/, '0x')])]
}

function byHash(digits: string): Finder<FoundCoin> {
  const bounds = [digits.padEnd(64, '0'), digits.padEnd(64, 'f')].map((hex) => Buffer.from(hex, 'hex'))
  return async (sql, most) => ({
    items: await readCoins(
      sql,
      `SELECT n.name, c.record FROM coin_network n CROSS JOIN LATERAL (
         SELECT c.record, c.coin_type_hash FROM coin c WHERE c.network_id = n.id AND c.coin_type_hash BETWEEN $1 AND $2 AND ${isListed}
         ORDER BY c.coin_type_hash LIMIT $3
       ) c ORDER BY c.coin_type_hash, n.id LIMIT $3`,
      [...bounds, most],
    ),
  })
}

/** Only types distinguish capital letters. */
function beginningWith(name: keyof typeof fields, text: string): Finder<FoundCoin> {
  const folded = (value: string) => (name === 'type' ? value : `lower(${value})`)
  const indexed = folded(`left(${fields[name]}, ${indexedLength})`)
  const begin = folded(`left($1, ${indexedLength})`)
  return async (sql, most) => ({
    items: await readCoins(
      sql,
      // `isListed` is evaluated before LIMIT, so that unlisted coins do not count.
      `SELECT n.name, c.record FROM coin c JOIN coin_network n ON n.id = c.network_id
       WHERE c.shown AND ${indexed} ~>=~ ${begin} AND ${indexed} ~<~ (${begin} || chr(1114111))
         AND starts_with(${folded(fields[name])}, ${folded('$1')}) AND ${isListed}
       ORDER BY ${indexed} USING ~<~ LIMIT $2`,
      [escaped(text), most],
    ),
  })
}

function within(text: string): Finder<FoundCoin> {
  const looked = 'WHERE c.network_id = n.id AND c.shown ORDER BY c.version DESC, c.coin_type_hash'
  const matches = Object.values(fields).map((field) => `strpos(lower(${field}), lower($1)) > 0`)
  return async (sql, most) => {
    const items = await readCoins(
      sql,
      `SELECT n.name, c.record FROM coin_network n CROSS JOIN LATERAL (
         SELECT c.* FROM coin c ${looked} LIMIT ${mostLookedAt}
       ) c WHERE ${isListed} AND (${matches.join(' OR ')}) ORDER BY c.version DESC, c.coin_type_hash, n.id LIMIT $2`,
      [escaped(text), most],
    )
    const beyond = await sql.rows(
      `SELECT 1 FROM coin_network n CROSS JOIN LATERAL (SELECT 1 FROM coin c ${looked} OFFSET ${mostLookedAt} LIMIT 1) c`,
    )
    return { items, cutShort: beyond.length > 0 }
  }
}

/** The text as escaped in a record's JSON. */
function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

async function readCoins(sql: Sql, statement: string, values: unknown[]): Promise<FoundCoin[]> {
  const rows = await sql.rows<[network: string, record: string]>(statement, values)
  return rows.map(([network, text]) => {
    const record = JSON.parse(text) as Record<'coin_type' | 'coin_type_hash' | 'name' | 'symbol', string>
    const { coin_type: coinType, coin_type_hash: hash, name, symbol } = record
    const standard = creatorOf(coinType) === undefined ? 'v2' : 'v1'
    return { network, standard, coinType, coinTypeHash: hash, name, symbol }
  })
}
