import type { Row } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { bufferToHex } from '../../../util/hex.ts'
import { isSpam } from './walletTokens.ts'
import {
  collectionColumns,
  heldOfCollections,
  heldOfCollectionsAt,
  holdings,
  isUnassessed,
  isUnnamed,
  knownOf,
  shownByOwn,
} from './wholeHoldings.ts'
import { mayPass, mostSeen, ofSpam, placeColumn, type WholeChoice } from './wholeSql.ts'
import { stateIn, stateText } from './wholeState.ts'

// Statements on the contracts of a wallet, with the first parameters of wholeSql.ts. In rows of `contractsSql`, `p` is a row of the page, and `c` the
// contract's collection, if any.

/** A contract with tokens of the wallet. */
const contractColumns = {
  /** The row is not a contract. If the page reached its scan limit, `address` and `receivedPosition` are the last scanned ones, else `0x` and -1. */
  isEnd: column.bool('false'),
  /** Only in the row of the end: the wallet at the moment of its contracts (`stateText`). */
  state: column.text('NULL').map(stateIn).orNull(),
  address: column.bytea('p.contract').map(bufferToHex),
  /** Position of its last received token, which decides its place; null for other orders. */
  receivedPosition: column.int8('p.received_position').orNull(),
  /** Only in the row of the end: position of the first scanned contract. */
  firstPosition: column.int8('NULL::int8').orNull(),
  tokens: column.int8('p.tokens::int8'),
  totalAmount: column.text('p.total_amount::text'),
  standard: column.text<'ERC721' | 'ERC1155'>(
    `coalesce(c.standard, CASE WHEN p.erc1155 THEN 'ERC1155' ELSE 'ERC721' END)`,
  ),
  name: column.text('c.name').orNull(),
  symbol: column.text('c.symbol').orNull(),
  possibleSpam: column.bool(`coalesce(${isSpam}, false)`),
  verified: column.bool('coalesce(c.verified_override, c.verified, false)'),
  /** It is not a collection, and its names were not requested yet. */
  isUnnamed: column.bool(isUnnamed),
  isUnassessed: column.bool(isUnassessed),
}

const contractRow = defineRow(contractColumns)

type ContractColumn = keyof typeof contractColumns

const contractNames = Object.keys(contractColumns) as ContractColumn[]

/** `l`: the last scanned row, or NULL. */
const contractEndSql: Partial<Record<ContractColumn, string>> = {
  isEnd: 'true',
  state: stateText({ chain: '$3', wallet: '$4' }),
  address: `coalesce(l.contract, '')`,
  receivedPosition: 'coalesce(l.received_position, -1)',
  firstPosition: '(SELECT max(s.received_position) FROM seen s)',
}
const contractEndColumns = contractNames.map((name) => contractEndSql[name] ?? 'NULL').join(', ')

const contractPlace = (name: ContractColumn) => contractNames.indexOf(name) + 1

const contractPlaces = {
  contract: { below: 'h.contract < $5::bytea', inOrder: (row: string) => `ORDER BY ${row}.contract DESC` },
  acquired: {
    below: '(h.received_position, h.contract) < ($9::int8, $5::bytea)',
    inOrder: (row: string) => `ORDER BY ${row}.received_position DESC, ${row}.contract DESC`,
  },
}

/**
 * A row per contract with tokens of the wallet, and one more if others follow; then the end: see `contractsIn`. $5 and $9: the contract before the page;
 * $6: limit plus one; $7: see `mayPass`; $8: the last position, or null; $10: the position since which the walk has its order, or null.
 */
export function contractsSql({
  complete,
  filtered,
  asOf,
  order,
  since,
}: Pick<WholeChoice, 'complete' | 'filtered' | 'asOf' | 'order' | 'since'>): string {
  const { below, inOrder } = contractPlaces[order]
  const most = filtered || !complete ? String(mostSeen) : '$6::int8'
  const last = asOf ? '$8' : undefined
  const sums = 'count(*) AS tokens, sum(h.amount) AS total_amount'
  const received = `max(h.${placeColumn(since)}) AS received_position`
  const from = since ? '$10::int8' : undefined
  return `
WITH given AS (SELECT $8::int8, $9::int8, $10::int8), seen AS MATERIALIZED (
  SELECT * FROM (
    SELECT h.contract, ${sums}, bool_or(h.erc1155) AS erc1155, ${received} FROM ${holdings({ asOf: last, since: from, sorted: order === 'contract' })} GROUP BY h.contract ${order === 'contract' ? 'ORDER BY h.contract DESC' : ''}
  ) h WHERE ${below} ${inOrder('h')} LIMIT ${most}
), ${knownOf('seen')}, own AS MATERIALIZED (
  SELECT h.*, c.id AS c_id, c.partition AS c_partition FROM seen h FULL JOIN known c ON c.address = h.contract
  WHERE ${shownByOwn(complete)} AND ${mayPass('$7')} ${inOrder('h')} LIMIT $6
), others AS MATERIALIZED (
  SELECT * FROM (
    SELECT h.contract, ${sums}, false AS erc1155, ${received}, h.c_id, h.c_partition
    FROM (${last ? heldOfCollectionsAt(complete, last, from) : heldOfCollections(complete, order === 'acquired', from)}) h JOIN collection c ON c.partition = h.c_partition AND c.id = h.c_id
    WHERE ${ofSpam('$7')} GROUP BY h.contract, h.c_id, h.c_partition
  ) h WHERE ${below} ${inOrder('h')} LIMIT $6
), page AS MATERIALIZED (
  SELECT * FROM (SELECT * FROM own UNION ALL SELECT * FROM others) h ${inOrder('h')} LIMIT $6
), shown AS MATERIALIZED (
  SELECT ${collectionColumns} FROM page p JOIN collection c ON c.partition = p.c_partition AND c.id = p.c_id
)
SELECT ${contractRow.columns}
FROM page p LEFT JOIN shown c ON c.partition = p.c_partition AND c.id = p.c_id
UNION ALL
SELECT ${contractEndColumns}
FROM (SELECT) a LEFT JOIN (SELECT s.contract, s.received_position FROM seen s ${inOrder('s')} OFFSET ${most} - 1 LIMIT 1) l ON true
ORDER BY ${order === 'acquired' ? `${contractPlace('receivedPosition')} DESC, ` : ''}${contractPlace('address')} DESC, ${contractPlace('isEnd')}`
}

/** Number of tokens and of their contracts. $5: requested contracts, or null; $6: see `ofSpam`; $7: as $8 in `contractsSql`. */
export const countSql = (complete: boolean, asOf: boolean) => `
WITH given AS (SELECT $7::int8, $4::bytea), own AS MATERIALIZED (
  SELECT h.contract, count(*) AS tokens FROM ${holdings({ asOf: asOf ? '$7' : undefined })}
  WHERE ($5::bytea[] IS NULL OR h.contract = ANY($5)) GROUP BY h.contract
), ${knownOf('own')}, others AS MATERIALIZED (
  SELECT h.contract, count(*) AS tokens, h.c_id, h.c_partition FROM (${asOf ? heldOfCollectionsAt(complete, '$7') : heldOfCollections(complete, false)}) h
  WHERE ($5::bytea[] IS NULL OR h.contract = ANY($5)) GROUP BY h.contract, h.c_id, h.c_partition
)
SELECT coalesce(sum(n.tokens), 0)::int8, count(*) FROM (
  SELECT h.tokens FROM own h FULL JOIN known c ON c.address = h.contract WHERE ${shownByOwn(complete)} AND ${ofSpam('$6')}
  UNION ALL
  SELECT h.tokens FROM others h JOIN collection c ON c.partition = h.c_partition AND c.id = h.c_id WHERE ${ofSpam('$6')}
) n`

/** The contracts of a page, without those after its end, and the state of the wallet. */
export function contractsIn(rows: readonly Row[]) {
  const all = rows.map(contractRow.decode)
  const at = all.findIndex(({ isEnd }) => isEnd)
  const last = all[at]!
  return { found: all.slice(0, at), end: last.address === '0x' ? undefined : last, state: last.state ?? undefined }
}
