/** SQL of an address as bytes behind their length; no byte follows a length of 0. */
export const addressBytes = (column: string) => `coalesce('\\x14'::bytea || ${column}, '\\x00')`

/**
 * SQL of what a record shows of a token `t` besides its hash and its owner, as bytes: its last position and that of its mint, or of its first
 * transfer while no mint is known, 8 bytes each, its
 * minter (`addressBytes`), and its id and its amount as PostgreSQL sends a numeric.
 */
export const tokenFacts = `int8send(t.last_position) || int8send(coalesce(t.minted_position, t.first_position)) || ${addressBytes('t.minter')}
    || numeric_send(t.token_id) || numeric_send(t.amount)`
