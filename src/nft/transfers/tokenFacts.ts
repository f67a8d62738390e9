/** SQL of an address as bytes behind their length; no byte follows a length of 0. */
export const addressBytes = (column: string) => `coalesce('\\x14'::bytea || ${column}, '\\x00')`

/**
 * SQL of what a record shows of a token `t` besides its hash and its owner, as bytes: its last position and that of its mint, or of its first
 * transfer while no mint is known, 8 bytes each, its
 * minter (`addressBytes`), and its id and its amount as PostgreSQL sends a numeric.
 */
export const tokenFacts = `int8send(t.last_position) || int8send(coalesce(t.minted_position, t.first_position)) || ${addressBytes('t.minter')}
    || numeric_send(t.token_id) || numeric_send(t.amount)`

/**
 * SQL of the position of the earliest known mint in a row of `token`, or of its staging table; null: none is known. A mint is a transfer of more than
 * nothing from the zero address (transfer.ts).
 */
export const mintOf = (row: string) =>
  `CASE WHEN ${row}.minter IS NOT NULL THEN coalesce(${row}.minted_position, ${row}.first_position) END`

/** SQL of a SET clause that merges first transfer and mint of a staged row, `excluded`, into the token `t`, in whatever order rows come. */
export const mergedMint = `
  minter = CASE WHEN ${mintOf('t')} <= ${mintOf('excluded')} THEN t.minter ELSE coalesce(excluded.minter, t.minter) END,
  first_position = least(excluded.first_position, t.first_position),
  minted_position = nullif(least(${mintOf('excluded')}, ${mintOf('t')}), least(excluded.first_position, t.first_position))`

/** SQL of the minter and the minted position of a row of `token` as they were after a position. */
export const mintAt = (position: string, row = 'w') => ({
  minter: `CASE WHEN ${mintOf(row)} <= ${position} THEN ${row}.minter END`,
  mintedPosition: `CASE WHEN ${row}.minted_position <= ${position} THEN ${row}.minted_position END`,
})
