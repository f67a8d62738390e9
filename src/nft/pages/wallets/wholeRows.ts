import { column, defineRow } from '../../../db/defineRow.ts'
import { bufferToHex } from '../../../util/hex.ts'
import { isSpam } from './walletTokens.ts'

// Rows of `contractsSql`: `p` is a row of the page; `c` is the contract's collection, if any.

/**
 * SQL: a contract with this status of its row, or without a row, is no collection. `nocode`: an address without code when a client requested it, see
 * `insertKnown`.
 */
export const isKnown = (status: string) => `(${status} IS NULL OR ${status} IN ('known', 'nocode'))`

/** A contract with tokens of the wallet. */
const contractColumns = {
  /** The row is not a contract: `address` and `receivedPosition` are the last scanned ones, as the page reached its scan limit. */
  isEnd: column.bool('false'),
  address: column.bytea('p.contract').map(bufferToHex),
  /** Position of its last received token; null for other orders. */
  receivedPosition: column.int8('p.received_position').orNull(),
  tokens: column.int8('p.tokens::int8'),
  pieces: column.text('p.pieces::text'),
  standard: column.text<'ERC721' | 'ERC1155'>(
    `coalesce(c.standard, CASE WHEN p.erc1155 THEN 'ERC1155' ELSE 'ERC721' END)`,
  ),
  name: column.text('c.name').orNull(),
  symbol: column.text('c.symbol').orNull(),
  id: column.int8('coalesce(c.id, 0)::int8'),
  possibleSpam: column.bool(`coalesce(${isSpam}, false)`),
  verified: column.bool('coalesce(c.verified_override, c.verified, false)'),
  isKnown: column.bool(isKnown('c.status')),
}

export const contractRow = defineRow(contractColumns)

type ContractColumn = keyof typeof contractColumns

const contractNames = Object.keys(contractColumns) as ContractColumn[]

const contractEndSql: Partial<Record<ContractColumn, string>> = {
  isEnd: 'true',
  address: 'l.contract',
  receivedPosition: 'l.received_position',
}
export const contractEndColumns = contractNames.map((name) => contractEndSql[name] ?? 'NULL').join(', ')

export const contractPlace = (name: ContractColumn) => contractNames.indexOf(name) + 1

/** The rows of a page: rows after its end are dropped. */
export function beforeEnd<Row extends { isEnd: boolean }>(
  rows: readonly Row[],
): { found: Row[]; end: Row | undefined } {
  const at = rows.findIndex(({ isEnd }) => isEnd)
  return at < 0 ? { found: [...rows], end: undefined } : { found: rows.slice(0, at), end: rows[at] }
}
