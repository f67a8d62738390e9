import { partitionCount } from '../../sync/partition.ts'
import type { TransferOrder, TransferSource } from '../transferQuery.ts'
import { positionsPerRange } from '../transfers/position.ts'
import { standingOf } from './standing.ts'
import { collectionBytes, transferBytes } from './transferLines.ts'

/** Whose transfers a statement reads. */
export type TransferKind = 'contract' | 'token' | 'wallet' | 'walletOnly' | 'chain' | 'blockHash'

export function kindOf(source: TransferSource): TransferKind {
  if (source.of === 'contract') return source.tokenId === undefined ? 'contract' : 'token'
  if (source.of === 'wallet') return source.only ? 'walletOnly' : 'wallet'
  return source.hash === undefined ? 'chain' : 'blockHash'
}

/** SQL of what depends on the order. */
const inOrder = {
  ASC: { direction: 'ASC', beyond: '>', back: '<=' },
  DESC: { direction: 'DESC', beyond: '<', back: '>=' },
} as const

const inPlace = (row: string, order: TransferOrder) =>
  `ORDER BY ${row}.position ${inOrder[order].direction}, ${row}.item ${inOrder[order].direction}`

/** Where a page may have its transfers. */
const behind = (row: string, order: TransferOrder) =>
  `(${row}.position, ${row}.item) ${inOrder[order].beyond} ($1::int8, $2::int4) AND ${row}.position ${inOrder[order].back} $3::int8`

/** Two transfers are at one place where one of them is of a collection that was removed, or of a block that was undone. */
const first = (count: string, row: string, order: TransferOrder) =>
  `${inPlace(row, order)} FETCH FIRST (${count}) ROWS WITH TIES`

const ofWallet = (order: TransferOrder) => `
    FROM wallet_transfer w WHERE w.partition = $5 AND w.chain_id = $6 AND w.wallet = $7::bytea AND ${behind('w', order)}`

/**
 * Most transfers of a wallet that a page of those of some collections looks at, so that each page ends in time where few of a million are
 * of these. The key alone is read of each: 10 ms.
 */
export const mostSeen = 10_000

/** No join, so that the rows stay in order and none behind the end of the page is looked at. */
const amongSeen = (order: TransferOrder) => `
    SELECT w.*, ($9::int2[])[array_position($8::int8[], w.collection_id)] AS collection_partition
    FROM (SELECT w.position, w.item, w.collection_id ${ofWallet(order)} ${first(String(mostSeen), 'w', order)}) w
    WHERE w.collection_id = ANY($8::int8[])`

/** The last place that such a page looked at: a page that is not full looked at as many as it may. */
const stop = (order: TransferOrder) => `CASE WHEN (SELECT count(*) FROM page) < $4::int8 THEN (
    SELECT w.position || ' ' || w.item ${ofWallet(order)} ${inPlace('w', order)} OFFSET ${mostSeen - 1} LIMIT 1
  ) END`

/**
 * The transfers of a page and one more. Parameters: $1 and $2 the place after which the page begins, $3 the last position that it may have,
 * $4 the limit and one; then those of the source. Of a contract these are partition and id, and the token; of a wallet partition, chain and address, and the ids and partitions of the only collections wanted; of a chain its id, and the hash
 * of the block.
 */
function places(kind: TransferKind, order: TransferOrder): string {
  const { direction, beyond, back } = inOrder[order]
  const after = (row: string) => behind(row, order)
  const sorted = (row: string) => `${inPlace(row, order)} LIMIT $4::int8`
  const withTies = (row: string) => first('$4::int8', row, order)
  if (kind === 'contract')
    return `
  SELECT * FROM transfer t WHERE t.partition = $5 AND t.collection_id = $6 AND ${after('t')} ${sorted('t')}`
  // The token stands in the bounds and in the order, so that the one index that leads with it is the only one that serves both: by the
  // key of the table all transfers of the contract would be read where the token seems to be a frequent one.
  if (kind === 'token')
    return `
  SELECT * FROM transfer t
  WHERE t.partition = $5 AND t.collection_id = $6 AND (t.token_id, t.position, t.item) ${beyond} ($7::numeric, $1::int8, $2::int4)
    AND (t.token_id, t.position) ${back} ($7::numeric, $3::int8)
  ORDER BY t.token_id ${direction}, t.position ${direction}, t.item ${direction} LIMIT $4::int8`
  if (kind === 'wallet' || kind === 'walletOnly')
    return `
  SELECT w.position, w.item, w.collection_partition AS partition, w.collection_id, t.token_id, t.from_address, t.to_address, t.amount,
    t.transaction_hash, t.transaction_index, t.operator, t.block_hash, t.block_time
  FROM (
    ${kind === 'wallet' ? `SELECT * ${ofWallet(order)}` : amongSeen(order)} ${withTies('w')}
  ) w LEFT JOIN LATERAL (
    SELECT * FROM transfer t
    WHERE t.partition = w.collection_partition AND t.collection_id = w.collection_id AND t.position = w.position AND t.item = w.item
      AND $7::bytea IN (t.from_address, t.to_address)
    LIMIT 1
  ) t ON true`
  // The ranges come first in the order, although positions alone say as much: so PostgreSQL sorts range by range, and reads no more of them.
  return `${chainPlaces(kind, order, `${after('t')} ${sorted('t')}`)}
  ORDER BY m.range ${direction}, t.position ${direction}, t.item ${direction} FETCH FIRST ($4::int8) ROWS WITH TIES`
}

/**
 * Transfers of all collections: each partition names the next ranges of blocks in which collections have some, as many as a page may need;
 * the nearest of all of them are read. Each has at least one transfer but the range in which the page begins, whose transfers may
 * all be given already, so that one is read besides; and of the last range all may be behind the end.
 */
function chainPlaces(kind: TransferKind, order: TransferOrder, own: string): string {
  const { direction, beyond, back } = inOrder[order]
  const begin = `($1::int8 / ${positionsPerRange})`
  const moved = (which: string) => `
      SELECT r.partition, r.range, r.collection_id FROM transfer_range r WHERE r.partition = p.partition AND r.chain_id = $5 AND ${which}`
  const nearest = `ORDER BY range ${direction} FETCH FIRST ($4::int8) ROWS WITH TIES`
  return `
  SELECT t.* FROM (
    SELECT n.* FROM generate_series(0, ${partitionCount - 1}) AS p (partition) CROSS JOIN LATERAL (${moved(`r.range = ${begin}`)}) n
    UNION ALL (
      SELECT n.* FROM generate_series(0, ${partitionCount - 1}) AS p (partition) CROSS JOIN LATERAL (${moved(
        `r.range ${beyond} ${begin} AND r.range ${back} ($3::int8 / ${positionsPerRange})`,
      )}
        ${nearest}
      ) n ${nearest}
    )
    ORDER BY range ${direction}
  ) m CROSS JOIN LATERAL (
    SELECT * FROM transfer t
    WHERE t.partition = m.partition AND t.collection_id = m.collection_id AND t.position >= m.range * ${positionsPerRange}
      AND t.position < (m.range + 1) * ${positionsPerRange}${kind === 'blockHash' ? ' AND t.block_hash = $6::bytea' : ''} AND ${own}
  ) t`
}

/**
 * SQL of a page of transfers, all in one row. Parameters: see `places`. Columns:
 *
 * 1. the bytes of the transfers (`transferBytes`), in the order of the page: one more than the limit where more follow, and those that
 *    are not shown among them
 * 2. for `walletOnly` the last place that a page looked at which is not full: a text of position and item
 * 3. of a contract and of a token, where the collection stands at the same moment (`standing.ts`)
 */
export function transferSql(kind: TransferKind, order: TransferOrder): string {
  const name = `${kind} ${order}`
  let text = known.get(name)
  if (text === undefined) {
    text = writeSql(kind, order)
    known.set(name, text)
  }
  return text
}

const known = new Map<string, string>()

function writeSql(kind: TransferKind, order: TransferOrder): string {
  const page = places(kind, order)
  if (kind === 'contract' || kind === 'token')
    return `
SELECT string_agg(${transferBytes()}, '' ${inPlace('t', order)}), NULL, ${standingOf({ partition: '$5', id: '$6' })}
FROM (${page}) t`
  // LIMIT keeps the planner to one lookup by key for each transfer. A transfer without a collection, or of which only the wallet knows
  // still, is not shown, and must not hide the one that is at the same place.
  return `
WITH page AS MATERIALIZED (${page})
SELECT string_agg(${transferBytes('c.told')}, '' ${inPlace('t', order)}, c.told IS NULL)${kind === 'walletOnly' ? `, ${stop(order)}` : ''}
FROM page t LEFT JOIN LATERAL (
  SELECT ${collectionBytes} AS told FROM collection c WHERE c.partition = t.partition AND c.id = t.collection_id AND t.token_id IS NOT NULL LIMIT 1
) c ON true`
}
