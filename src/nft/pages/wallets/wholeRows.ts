import type { Row } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { bufferToHex } from '../../../util/hex.ts'
import { isSpam } from './walletTokens.ts'
import { stateIn, stateText } from './wholeState.ts'

// Rows of `contractsSql`: `p` is a row of the page; `c` is the contract's collection, if any.

/**
 * SQL: a contract with this status of its row, or without a row, is no collection. `nocode`: an address without code when a client requested it, see
 * `insertKnown`.
 */
export const isKnown = (status: string) => `(${status} IS NULL OR ${status} IN ('known', 'nocode'))`

/** A contract with tokens of the wallet. */
const contractColumns = {
  /** The row is not a contract. If the page reached its scan limit, `address` and `receivedPosition` are the last scanned ones, else `0x` and -1. */
  isEnd: column.bool('false'),
  /** Only in the row of the end: the wallet at the moment of its contracts (`stateText`). */
  state: column.text('NULL').map(stateIn).orNull(),
  address: column.bytea('p.contract').map(bufferToHex),
  /** Position of its last received token; null for other orders. */
  receivedPosition: column.int8('p.received_position').orNull(),
  tokens: column.int8('p.tokens::int8'),
  totalAmount: column.text('p.total_amount::text'),
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

/** `l`: the last scanned row, or NULL. */
const contractEndSql: Partial<Record<ContractColumn, string>> = {
  isEnd: 'true',
  state: stateText({ chain: '$3', wallet: '$4' }),
  address: `coalesce(l.contract, '')`,
  receivedPosition: 'coalesce(l.received_position, -1)',
}
export const contractEndColumns = contractNames.map((name) => contractEndSql[name] ?? 'NULL').join(', ')

export const contractPlace = (name: ContractColumn) => contractNames.indexOf(name) + 1

/** The contracts of a page, without those after its end, and the state of the wallet. */
export function contractsIn(rows: readonly Row[]) {
  const all = rows.map(contractRow.decode)
  const at = all.findIndex(({ isEnd }) => isEnd)
  const last = all[at]!
  return { found: all.slice(0, at), end: last.address === '0x' ? undefined : last, state: last.state ?? undefined }
}
