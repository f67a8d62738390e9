/**
 * One movement of one token (ERC-721) or of an amount of one id (ERC-1155).
 * Glossary: *mint* is a transfer of more than nothing from the zero address, *burn* one to it; *position* orders logs (position.ts);
 * *item* orders the movements within one log.
 *
 * One contract may emit the events of both standards, even for one id. A token follows ERC-1155 once an ERC-1155 transfer moved some of it:
 * these transfers alone decide its amount and its holders, and its ERC-721 transfers are events that are listed and counted. So the order
 * in which ranges of history arrive does not matter, and a contract that emits both events for one movement does not move twice.
 *
 * Anybody can transfer amount 0 of any ERC-1155 id. Such a transfer is an event that is listed and counted, and changes no other fact of the
 * token (`movesNothing`, `movedSome`).
 */
export type Transfer = {
  position: number
  item: number
  /** Decimal digits. */
  tokenId: string
  /** 40 hex digits, lower case, without 0x. */
  from: string
  to: string
  /** Decimal digits; "1" for ERC-721. */
  amount: string
  /** Operator in an ERC-1155 log; null for ERC-721. Format as `from`. */
  operator: string | null
  /** 64 hex digits, without 0x. */
  transactionHash: string
  /** Index of its transaction in the block; null if the node does not return it. */
  transactionIndex: number | null
  /** The hash of its block, 64 hex digits, without 0x. */
  blockHash: string
  /** Block time in seconds since 1970; null if the node's log does not have it. */
  blockTime: number | null
}

/** The standard of a transfer's event: ERC-1155 events have an operator. */
export function isErc1155(transfer: Pick<Transfer, 'operator'>): boolean {
  return transfer.operator !== null
}

/** SQL condition: a row of `transfer` is of an ERC-1155 event. */
export const byErc1155 = (row: string) => `${row}.operator IS NOT NULL`

/** The zero address as a Transfer holds it. */
export const zeroAddress = '0'.repeat(40)

export function movesNothing(transfer: Pick<Transfer, 'amount'>): boolean {
  return transfer.amount === '0'
}

/** SQL condition: a row of `transfer` has a non-zero amount. */
export const movedSome = (row: string) => `${row}.amount > 0`

/** The zero address in SQL, as the columns of tables hold it. */
export const zeroBytes = `'\\x${zeroAddress}'::bytea`

/** SQL of the transfers that one transaction undoes: those of some collections from a place. */
export type UndoneTransfers = {
  /** Collections as `c` with partition, collection_id and address. */
  collections: string
  /** Adds the partition to a condition on these aliases, if a cluster needs it (db/staging/stagingTables.ts). */
  of: (...aliases: string[]) => string
  /** Part of an undo: an earlier part may have undone later transfers of the same tokens. */
  isPart: boolean
}

/** SQL condition: transfer `t` of such a collection is undone. $1 and $2 are the place of the first one. */
export const isUndone = '(t.position, t.item) >= ($1::int8, $2::int4)'

/** SQL of the undone transfers as `t`, to be joined with their collections `c`. */
export const undoneOf = `transfer t ON t.partition = c.partition AND t.collection_id = c.collection_id AND ${isUndone}`
