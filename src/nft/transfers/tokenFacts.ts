import { movedSome } from './transfer.ts'

/** SQL of an address as bytes with a length prefix; empty for length 0. */
export const addressBytes = (column: string) => `coalesce('\\x14'::bytea || ${column}, '\\x00')`

/**
 * SQL of the record facts of token `t` besides hash and owner, as bytes. First its last position, and that of its mint (without a known mint, of its
 * first transfer), 8 bytes each. Then its minter (`addressBytes`), id and amount, both as binary numerics.
 */
export const tokenFacts = tokenFactsOf('t.amount')

/** The same with another amount. */
export function tokenFactsOf(amount: string): string {
  return `int8send(t.last_position) || int8send(coalesce(t.minted_position, t.first_position)) || ${addressBytes('t.minter')}
    || numeric_send(t.token_id) || numeric_send(${amount})`
}

/**
 * SQL of the position of the earliest known mint in a row of `token` or its staging table; null: unknown. A mint is a transfer of a non-zero amount
 * from the zero address (transfer.ts).
 */
export const mintOf = (row: string) =>
  `CASE WHEN ${row}.minter IS NOT NULL THEN coalesce(${row}.minted_position, ${row}.first_position) END`

/** SQL of a SET clause that merges first transfer and mint of a staged row, `excluded`, into token `t`, in any order of rows. */
export const mergedMint = `
  minter = CASE WHEN ${mintOf('t')} <= ${mintOf('excluded')} THEN t.minter ELSE coalesce(excluded.minter, t.minter) END,
  first_position = least(excluded.first_position, t.first_position),
  minted_position = nullif(least(${mintOf('excluded')}, ${mintOf('t')}), least(excluded.first_position, t.first_position))`

/** SQL of minter and minted position of a row of `token` after a position. */
export const mintAt = (position: string, row = 'w') => ({
  minter: `CASE WHEN ${mintOf(row)} <= ${position} THEN ${row}.minter END`,
  mintedPosition: `CASE WHEN ${row}.minted_position <= ${position} THEN ${row}.minted_position END`,
})

/** SQL condition: a transfer `x` is of the collection of a row of `token`. */
const ofSameCollection = (row: string) => `x.partition = ${row}.partition AND x.collection_id = ${row}.collection_id`

/**
 * SQL condition: a transfer `x` of a collection is of the token in a row, up to a position. Compared as pairs, so that the index of a token's transfers
 * always fits. With separate comparisons, PostgreSQL may read the whole collection up to the position for each token.
 */
export const ofTokenUpTo = (position: string, row = 'w') =>
  `(x.token_id, x.position) >= (${row}.token_id, 0) AND (x.token_id, x.position) <= (${row}.token_id, ${position})`

/** SQL: the latest transfers `x` of a token first, by that index. */
export const latestFirst = 'ORDER BY x.token_id DESC, x.position DESC, x.item DESC'

/** SQL of the position of the last move of the token in a row, up to a position. `collection`: condition for its transfers `x`. */
export const lastMoveAt = (position: string, row = 'w', collection = ofSameCollection(row)) =>
  `SELECT x.position FROM transfer x WHERE ${collection} AND ${ofTokenUpTo(position, row)} AND ${movedSome('x')} ${latestFirst} LIMIT 1`

/** SQL of the last position, up to a position, of an ERC-1155 token in a row of `token`. `collection`: as for `lastMoveAt`. */
export const lastPositionAt = (position: string, row = 'w', collection = ofSameCollection(row)) =>
  `CASE WHEN ${row}.last_position <= ${position} THEN ${row}.last_position ELSE (${lastMoveAt(position, row, collection)}) END`
