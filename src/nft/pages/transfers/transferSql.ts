import { hexToBuffer } from '../../../util/hex.ts'
import type { TransferFilter, TransferOrder, TransferSource } from '../../transferQuery.ts'
import { positionsPerBlock, positionsPerRange } from '../../transfers/position.ts'
import { byErc1155, movedSome } from '../../transfers/transfer.ts'
import { createStatementTexts } from '../rows/metadataTexts.ts'
import { versionOf } from '../rows/syncPosition.ts'
import { behind, inOrder, inPlace, transferPageColumns } from './transferOrder.ts'
import { collectionBytes, transferBytes } from './transferRow.ts'
import { wholeTransfersSql } from './wholeTransferSql.ts'

/** Source of the transfers of a statement. */
export type TransferKind =
  | 'contract'
  | 'token'
  | 'wallet'
  | 'walletOnly'
  | 'whole'
  | 'wholeKnown'
  | 'chain'
  | 'blockHash'

export function kindOf(source: TransferSource): TransferKind {
  if (source.of === 'contract') return source.tokenId === undefined ? 'contract' : 'token'
  if (source.of === 'wallet') return source.only ? 'walletOnly' : 'wallet'
  if (source.of === 'wholeWallet') return source.whole.complete ? 'whole' : 'wholeKnown'
  return source.hash === undefined ? 'chain' : 'blockHash'
}

/** For a wallet, two transfers have one place if one of them is of a removed collection or an undone block. */
const first = (count: string, row: string, order: TransferOrder) =>
  `${inPlace(row, order)} FETCH FIRST (${count}) ROWS WITH TIES`

const ofWallet = (order: TransferOrder) => `
    FROM wallet_transfer w WHERE w.partition = $5 AND w.chain_id = $6 AND w.wallet = $7::bytea AND ${behind('w', order)}`

/**
 * Most transfers that a page with a filter, or of a wallet over some collections, scans, so that each page ends in time even if few match. For some
 * collections, reads only the key of each: 10 ms.
 */
export const mostSeen = 10_000

/** No join, so that the rows stay in order and none after the page is read. */
const amongSeen = (order: TransferOrder) => `
    SELECT w.*, ($9::int2[])[array_position($8::int8[], w.collection_id)] AS collection_partition
    FROM (SELECT w.position, w.item, w.collection_id ${ofWallet(order)} ${first(String(mostSeen), 'w', order)}) w
    WHERE w.collection_id = ANY($8::int8[])`

/**
 * Places of a wallet's page and one more, with all rows of the last, as `p`: numbered from 1. They are in the wallet's partition, the transfers in
 * those of collections.
 */
const walletPlaces = (kind: 'wallet' | 'walletOnly', order: TransferOrder) => `
  SELECT w.position, w.item, w.collection_id, w.collection_partition, rank() OVER (${inPlace('w', order)}) AS number
  FROM (${kind === 'wallet' ? `SELECT * ${ofWallet(order)}` : amongSeen(order)}) w ${first('$4::int8', 'w', order)}`

/** The transfers at these places. A wallet may still list undone transfers, and those of removed collections. */
const walletMoves = `
  SELECT t.*, ${collectionBytes} AS contract_bytes FROM p
  JOIN transfer t ON t.partition = p.collection_partition AND t.collection_id = p.collection_id AND t.position = p.position AND t.item = p.item
    AND $7::bytea IN (t.from_address, t.to_address)
  JOIN collection c ON c.partition = p.collection_partition AND c.id = p.collection_id AND c.standard IS NOT NULL
  WHERE p.number < $4::int8`

/**
 * The same with a filter, without the facts of collections. If LIMIT and the join with collections were here, PostgreSQL might read the whole
 * collection for each place. The places are bounds, as only the key has them in its order: the index of tokens would be read whole, too.
 */
const selectedMoves = (selected: string) => `
  SELECT t.* FROM p
  JOIN transfer t ON t.partition = p.collection_partition AND t.collection_id = p.collection_id
    AND (t.position, t.item) >= (p.position, p.item) AND (t.position, t.item) <= (p.position, p.item)
    AND $7::bytea IN (t.from_address, t.to_address)
  WHERE ${selected}`

/** The last scanned place, if a page ends there. */
const lastSeen = (order: TransferOrder) =>
  `(SELECT w.position || ' ' || w.item ${ofWallet(order)} ${inPlace('w', order)} OFFSET ${mostSeen - 1} LIMIT 1)`

/** The last place of a page, if more follow. A page over some collections that is not full ends at the last scanned place. */
const end = (kind: 'wallet' | 'walletOnly', order: TransferOrder) => `CASE
    WHEN (SELECT count(*) FROM p) >= $4::int8
    THEN (SELECT p.position || ' ' || p.item FROM p WHERE p.number < $4::int8 ORDER BY p.number DESC LIMIT 1)
    ${kind === 'walletOnly' ? `ELSE ${lastSeen(order)}` : ''}
  END`

/** The transfers of a contract or of a token, in their order. */
function ofContract(kind: 'contract' | 'token', order: TransferOrder, limit: string): string {
  const { direction, beyond, back } = inOrder[order]
  if (kind === 'contract')
    return `
  SELECT * FROM transfer t WHERE t.partition = $5 AND t.collection_id = $6 AND ${behind('t', order)} ${inPlace('t', order)} LIMIT ${limit}`
  // The token is in bounds and order, so that only the index that leads with it serves both. For a seemingly frequent token, the table's key would be
  // chosen, which reads all transfers of the contract.
  return `
  SELECT * FROM transfer t
  WHERE t.partition = $5 AND t.collection_id = $6 AND (t.token_id, t.position, t.item) ${beyond} ($7::numeric, $1::int8, $2::int4)
    AND (t.token_id, t.position) ${back} ($7::numeric, $3::int8)
  ORDER BY t.token_id ${direction}, t.position ${direction}, t.item ${direction} LIMIT ${limit}`
}

/**
 * SQL condition: transfer `t`, which has a block's number, is of that block, by chain id and block hash. For a final number, all transfers are,
 * whatever their logs contain: some nodes return logs with a wrong block hash.
 */
export const ofBlock = (chain: string, hash: string) =>
  `(t.block_hash = ${hash}::bytea OR t.position < (SELECT (h.finalized_number + 1) * ${positionsPerBlock} FROM chain h WHERE h.id = ${chain}))`

/**
 * Transfers of all collections, by ranges of blocks in which collections have transfers. The order leads with the range, although positions suffice,
 * so that PostgreSQL sorts range by range and reads only as many as a page needs. LIMIT forces one lookup by key per range, and limits a busy
 * collection to a page.
 */
function ofChain(kind: 'chain' | 'blockHash', order: TransferOrder, limit: string): string {
  const { direction, beyond, back } = inOrder[order]
  const sorted = `${inPlace('t', order)} LIMIT ${limit}`
  return `
  SELECT t.*, c.contract_bytes, r.range FROM transfer_range r CROSS JOIN LATERAL (
    SELECT ${collectionBytes} AS contract_bytes FROM collection c WHERE c.partition = r.partition AND c.id = r.collection_id AND c.standard IS NOT NULL LIMIT 1
  ) c CROSS JOIN LATERAL (
    SELECT * FROM transfer t
    WHERE t.partition = r.partition AND t.collection_id = r.collection_id AND t.position >= r.range * ${positionsPerRange}
      AND t.position < (r.range + 1) * ${positionsPerRange}${kind === 'blockHash' ? ` AND ${ofBlock('$5', '$6')}` : ''}
      AND ${behind('t', order)} ${sorted}
  ) t
  WHERE r.chain_id = $5 AND r.range ${beyond}= $1::int8 / ${positionsPerRange} AND r.range ${back} $3::int8 / ${positionsPerRange}
  ORDER BY r.range ${direction}, t.position ${direction}, t.item ${direction} LIMIT ${limit}`
}

const bytes = (order: TransferOrder, collection?: string) =>
  `string_agg(${transferBytes(collection)}, '' ${inPlace('t', order)})`

/** The version of the collection, for pages of a contract. */
const versionFor = (kind: TransferKind) =>
  kind === 'contract' || kind === 'token' ? { version: versionOf({ partition: '$5', id: '$6' }) } : {}

/** Number of parameters of each source. */
const sourceParameters: Record<TransferKind, number> = {
  ...{ contract: 2, token: 3, wallet: 3, walletOnly: 5, whole: 5, wholeKnown: 5, chain: 1, blockHash: 2 },
}

/**
 * SQL of a page of transfers in one row. $1 and $2: place before the page; $3: last possible position; $4: limit plus one. Then the source. Contract:
 * partition, id, and token. Wallet: partition, chain, address, and ids and partitions of the requested collections. Whole wallet: partition, id,
 * chain, address, and requested contracts. Chain: id, and block hash. Then the filter, if `isFiltered`. The columns are `transferPageColumns`.
 */
export const transferSql = createStatementTexts(
  ({ kind, order, isFiltered }: { kind: TransferKind; order: TransferOrder; isFiltered: boolean }) =>
    (isFiltered ? writeFilteredSql : writeSql)(kind, order),
)

function writeSql(kind: TransferKind, order: TransferOrder): string {
  if (kind === 'contract' || kind === 'token')
    return `
SELECT ${transferPageColumns.select({ transfers: bytes(order), ...versionFor(kind) })} FROM (${ofContract(kind, order, '$4::int8')}) t`
  if (kind === 'chain' || kind === 'blockHash')
    return `
SELECT ${transferPageColumns.select({ transfers: bytes(order, 't.contract_bytes') })} FROM (${ofChain(kind, order, '$4::int8')}) t`
  if (kind === 'whole' || kind === 'wholeKnown') return wholeTransfersSql(kind === 'whole', order)
  return `
WITH p AS MATERIALIZED (${walletPlaces(kind, order)})
SELECT ${transferPageColumns.select({ transfers: 's.bytes', end: end(kind, order) })}
FROM (SELECT ${bytes(order, 't.contract_bytes')} AS bytes FROM (${walletMoves}) t) s`
}

/**
 * The same with a filter: of at most `mostSeen` transfers, those that it selects. Returns one transfer more than the limit if more follow. A page
 * with fewer ends at the last scanned place.
 */
function writeFilteredSql(kind: TransferKind, order: TransferOrder): string {
  const selected = selectedBy(5 + sourceParameters[kind], 't')
  if (kind === 'whole' || kind === 'wholeKnown') return wholeTransfersSql(kind === 'whole', order, selected)
  if (kind === 'wallet' || kind === 'walletOnly')
    return `
WITH p AS MATERIALIZED (${kind === 'wallet' ? `SELECT w.* ${ofWallet(order)} ${first(String(mostSeen), 'w', order)}` : amongSeen(order)}
), m AS MATERIALIZED (${selectedMoves(selected)}
)
SELECT ${transferPageColumns.select({ transfers: 's.bytes', end: `CASE WHEN s.found < $4::int8 THEN ${lastSeen(order)} END` })}
FROM (
  SELECT ${bytes(order, 't.contract_bytes')} AS bytes, count(*) AS found
  FROM (
    SELECT t.*, ${collectionBytes} AS contract_bytes FROM m t
    JOIN collection c ON c.partition = t.partition AND c.id = t.collection_id AND c.standard IS NOT NULL ${inPlace('t', order)} LIMIT $4::int8
  ) t
) s`
  const isOfContract = kind === 'contract' || kind === 'token'
  const rows = isOfContract ? ofContract(kind, order, String(mostSeen)) : ofChain(kind, order, String(mostSeen))
  // In the order of `seen`, so that it is read only as far as the page needs (PostgreSQL 17 and later).
  const { direction } = inOrder[order]
  const asSeen = isOfContract
    ? inPlace('t', order)
    : `ORDER BY t.range ${direction}, t.position ${direction}, t.item ${direction}`
  return `
WITH seen AS MATERIALIZED (${rows})
SELECT ${transferPageColumns.select({
    transfers: bytes(order, isOfContract ? undefined : 't.contract_bytes'),
    end: `CASE WHEN count(*) < $4::int8
      THEN (SELECT s.position || ' ' || s.item FROM seen s ${inPlace('s', order)} OFFSET ${mostSeen - 1} LIMIT 1) END`,
    ...versionFor(kind),
  })}
FROM (SELECT t.* FROM seen t WHERE ${selected} ${asSeen} LIMIT $4::int8) t`
}

/** SQL condition: a filter selects transfer `row`. `first`: number of the first of its parameters, which `filterValues` returns. */
function selectedBy(first: number, row: string): string {
  const [from, to, isErc1155, excludeZero] = [0, 1, 2, 3].map((n) => `$${first + n}`)
  return [
    `(${from}::bytea IS NULL OR ${row}.from_address = ${from}::bytea)`,
    `(${to}::bytea IS NULL OR ${row}.to_address = ${to}::bytea)`,
    `(${isErc1155}::bool IS NULL OR (${byErc1155(row)}) = ${isErc1155}::bool)`,
    `(NOT ${excludeZero}::bool OR ${movedSome(row)})`,
  ].join(' AND ')
}

/** The last parameters of a filtered statement. */
export function filterValues({ from, to, standard, excludeZeroValue }: TransferFilter): unknown[] {
  return [from && hexToBuffer(from), to && hexToBuffer(to), standard && standard === 'ERC1155', excludeZeroValue]
}
