import { column } from '../../db/defineRow.ts'

/** The latest state of a subject of network $1 up to version $2. */
export const stateOf = (subject: string, upTo = '$2') =>
  `SELECT s.* FROM coin_state s WHERE s.network_id = $1 AND s.subject = ${subject} AND s.version <= ${upTo} ORDER BY s.version DESC LIMIT 1`

/** The visible asset that represents a coin `c`. */
export const pairOf = `SELECT p.coin_type_hash, p.record FROM coin p
  WHERE p.network_id = $1 AND p.paired_hash = c.coin_type_hash AND p.shown AND (p.version <= $2 OR p.early)
  ORDER BY p.version, p.coin_type_hash LIMIT 1`

/** Joins coins `c` with their states up to the visible version $2. */
export const withState = `LEFT JOIN LATERAL (${stateOf('c.coin_type_hash')}) own ON true
LEFT JOIN LATERAL (${stateOf('c.aggregator')}) counter ON c.aggregator IS NOT NULL
LEFT JOIN LATERAL (${pairOf}) pair ON c.standard = 1
LEFT JOIN LATERAL (${stateOf('pair.coin_type_hash')}) paired ON pair.coin_type_hash IS NOT NULL`

/** Decimals before a deletion: an asset that was deleted later than its last write has a last state without decimals. */
const lastDecimals = `(SELECT d.decimals FROM coin_state d WHERE d.network_id = $1 AND d.subject = c.coin_type_hash AND d.version <= $2
  AND d.decimals IS NOT NULL ORDER BY d.version DESC LIMIT 1)`

/** Columns of the joins of `withState`. The supply of a coin includes that of its paired asset, if the coin counts its own (`coin::supply`). */
export const stateColumns = {
  decimals: column.int2(`coalesce(own.decimals, ${lastDecimals})`).orNull(),
  supply: column
    .text(
      `(CASE WHEN c.standard = 2 THEN own.supply ELSE coalesce(counter.supply, own.supply) + coalesce(paired.supply, 0) END)::text`,
    )
    .orNull(),
  maximum: column.text('own.maximum::text').orNull(),
  pairedAsset: column.text(`split_part(pair.record, '"', 4)`).orNull(),
  deleted: column.bool('coalesce(own.deleted, false)'),
}
