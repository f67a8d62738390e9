import type { Coin } from './coin.ts'

/** `coins AS (…)` in a WITH clause, from the parameters $2 to $11 that `coinColumns` makes. */
export const coinsCte = `coins AS (
  SELECT * FROM unnest($2::bytea[], $3::text[], $4::bytea[], $5::smallint[], $6::bytea[], $7::bytea[], $8::text[], $9::text[],
    $10::bigint[], $11::bigint[])
    AS c (coin_type_hash, coin_type, creator, decimals, name, symbol, supply_handle, supply_key, version, created_micros))`

/** Coins by column, in the order of `coinsCte`. */
export function coinColumns(coins: readonly Coin[]): unknown[] {
  return [
    coins.map((c) => Buffer.from(c.hash, 'hex')),
    coins.map((c) => c.type),
    coins.map((c) => Buffer.from(c.creator, 'hex')),
    coins.map((c) => c.decimals),
    coins.map((c) => Buffer.from(c.name)),
    coins.map((c) => Buffer.from(c.symbol)),
    coins.map((c) => c.supply?.handle ?? null),
    coins.map((c) => c.supply?.key ?? null),
    coins.map((c) => c.version),
    coins.map((c) => c.createdMicros),
  ]
}

/** What a write that turned out to be earlier replaces. */
export const replaceCoin = `coin_type = excluded.coin_type, creator = excluded.creator, decimals = excluded.decimals,
  name = excluded.name, symbol = excluded.symbol, supply_handle = excluded.supply_handle, supply_key = excluded.supply_key,
  version = excluded.version, created_micros = excluded.created_micros`
