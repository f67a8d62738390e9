import type { Coin } from './coin.ts'
import { renderRecord } from './record.ts'

/** `coins AS (…)` in a WITH clause, from the parameters $2 to $4 that `coinColumns` makes. */
export const coinsCte = `coins AS (
  SELECT * FROM unnest($2::bytea[], $3::bigint[], $4::text[]) AS c (coin_type_hash, version, record))`

/** Coins by column, in the order of `coinsCte`. */
export function coinColumns(coins: readonly Coin[]): unknown[] {
  return [coins.map((c) => Buffer.from(c.hash, 'hex')), coins.map((c) => c.version), coins.map(renderRecord)]
}

/** The columns that an earlier write of the same coin replaces. */
export const replaceCoin = 'version = excluded.version, record = excluded.record'

/**
 * The coins `c` of network $1 that pages list, up to the shown version $2: those above it may still turn out to be older than they
 * look.
 */
export const isShown = 'c.network_id = $1 AND c.shown AND (c.version <= $2 OR c.imported)'
