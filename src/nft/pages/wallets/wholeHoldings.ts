import { partitionSql } from '../../../sync/partition.ts'
import { holdingOf, receivedPosition } from '../../transfers/holdingSql.ts'
import { tokenHashSql } from '../../transfers/tokenHash.ts'
import { shownByTables } from './wholeState.ts'

// The holdings of a wallet that is indexed over all contracts of its chain, in its own rows and in the tables that follow collections. Parameters: as
// in wholeSql.ts.

/** Expressions with the names of their columns. */
export const columnsOf = (columns: Record<string, string>) =>
  Object.entries(columns)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', ')

/**
 * SQL: a contract with this status of its row, or without a row, is no collection. `nocode`: an address without code when a client requested it, see
 * `insertKnown`.
 */
export const isKnown = (status: string) => `(${status} IS NULL OR ${status} IN ('known', 'nocode'))`

/**
 * SQL: whether a known contract `c` waits for its first spam verdict. A contract that was assessed before has reasons. After a failed read of its names,
 * there is nothing to decide on.
 */
export const isUnassessed = `(${isKnown('c.status')} AND c.spam_override IS NULL AND c.assessed_at IS NULL
  AND coalesce(c.spam_reasons = '{}' AND c.attempts = 0, true))`

/** SQL: whether the names of a known contract `c` were requested for a wallet. */
export const isNamed = `(c.status = 'known' AND NOT c.discovered AND (c.checked_at IS NOT NULL OR c.retry_at IS NOT NULL))`

/** SQL: whether contract `c` is no collection, and its names were not requested for a wallet yet. */
export const isUnnamed = `(${isKnown('c.status')} AND ${isNamed} IS NOT TRUE)`

/** Columns of collections that pages of wallets read. */
export const collectionColumns = [
  ...[
    'address',
    'id',
    'partition',
    'status',
    'standard',
    'name',
    'symbol',
    'metadata_longest',
    'version',
    'traits_version',
  ],
  ...['unindexed', 'discovered', 'checked_at', 'retry_at', 'attempts', 'assessed_at', 'spam_reasons'],
  ...['possible_spam', 'spam_override', 'verified', 'verified_override'],
]
  .map((name) => `c.${name}`)
  .join(', ')

/**
 * The CTE `known`: the rows of `collection` of the contracts in a CTE; missing until a contract is stored. Citus would answer a LEFT JOIN with the table
 * itself by all rows of the chain, as the wallet's rows are in another partition. It is joined by a FULL JOIN, which returns the same: PostgreSQL
 * expects one row, and would answer a LEFT JOIN by comparing each contract with each.
 */
export const knownOf = (cte: string, chain = '$3') => `known AS MATERIALIZED (
  SELECT ${collectionColumns} FROM (SELECT DISTINCT contract FROM ${cte}) h
  JOIN collection c ON c.partition = ${partitionSql(`${chain}::int8`, 'h.contract')} AND c.chain_id = ${chain} AND c.address = h.contract
)`

/** Collections whose holdings are in the wallet's own rows. */
export const shownByOwn = (complete: boolean) =>
  complete ? 'c.unindexed IS NOT TRUE' : `(c.id IS NULL OR c.status IN ('known', 'none', 'nocode'))`

/** The other collections. */
const shownByOthers = (complete: boolean) =>
  `(SELECT * FROM collection c WHERE c.chain_id = $3 AND ${complete ? shownByTables : `c.status NOT IN ('known', 'none', 'nocode')`})`

const holding = holdingOf('$4::bytea')
const { received_position, received_time } = holding

/** SQL: position of the receipt from moves `m` that decides the place of a token in a walk since position `since`: later receipts do not move it. */
const placeSince = (since: string) => receivedPosition('$4::bytea', since)

/**
 * `columns`: aggregates of the wallet's transfers in collections that its own rows do not have; `last`: up to the last position $n, or all. Citus
 * reads `moved` first, as it is on another shard.
 */
const ofTransfers = (columns: Record<string, string>, complete: boolean, last?: string) => `
WITH moved AS (
  SELECT w.collection_id, w.collection_partition, w.position, w.item FROM wallet_transfer w
  WHERE w.partition = $1 AND w.chain_id = $3 AND w.wallet = $4 ${last === undefined ? '' : `AND w.position <= ${last}::int8`}
)
SELECT c.address AS contract, ${tokenHashSql('c.address', 'm.token_id')} AS token_hash, c.partition AS c_partition, c.id AS c_id, ${columnsOf(columns)}
FROM moved w JOIN ${shownByOthers(complete)} c ON c.partition = w.collection_partition AND c.id = w.collection_id
JOIN transfer m ON m.partition = c.partition AND m.collection_id = c.id AND m.position = w.position AND m.item = w.item
GROUP BY c.address, c.partition, c.id, m.token_id`

/** `holdingOf` as columns; `since`: with the place in a walk since a position. */
const heldColumns = (since: string | undefined) =>
  since === undefined ? holding : { ...holding, place: placeSince(since) }

/**
 * Tokens of collections that are not in the wallet's own rows: they are in the tables that follow collections. `received`: with the time of receipt.
 * `since`: with `placeSince`.
 */
export function heldOfCollections(complete: boolean, received: boolean, since?: string): string {
  const receipt = { received_position, received_time, ...(since && { place: placeSince(since) }) }
  const unknown = columnsOf(Object.fromEntries(Object.keys(receipt).map((name) => [name, 'NULL::int8'])))
  const held = `
WITH held AS (
  SELECT t.collection_id, w.collection_partition, t.token_hash, t.amount
  FROM wallet_collection w JOIN wallet_token t ON t.partition = $1 AND t.chain_id = $3 AND t.wallet = $4 AND t.collection_id = w.collection_id
  WHERE w.partition = $1 AND w.chain_id = $3 AND w.wallet = $4
)
SELECT c.address AS contract, t.token_hash, c.partition AS c_partition, c.id AS c_id, t.amount, ${unknown}
FROM held t JOIN ${shownByOthers(complete)} c ON c.partition = t.collection_partition AND c.id = t.collection_id`
  if (!received) return held
  // Not a join: PostgreSQL expects few rows, and would compare each with each.
  return `
SELECT h.contract, h.token_hash, h.c_partition, h.c_id, ${['amount', ...Object.keys(receipt)].map((name) => `max(h.${name}) AS ${name}`).join(', ')}
FROM (SELECT * FROM (${held}) h UNION ALL SELECT * FROM (${ofTransfers({ amount: 'NULL::numeric', ...receipt }, complete)}) r) h
GROUP BY h.contract, h.token_hash, h.c_partition, h.c_id HAVING max(h.amount) IS NOT NULL`
}

/** The same at the end of the block with the last position $n: aggregates of the wallet's transfers of collections up to there, as rows `h`. */
export const heldOfCollectionsAt = (complete: boolean, last: string, since?: string) =>
  `SELECT * FROM (${ofTransfers(heldColumns(since), complete, last)}) h WHERE h.amount > 0`

const ofWallet = 'h.partition = $1 AND h.wallet_id = $2'

/**
 * Holdings of a wallet as rows `h`, each with its place in a walk since a position; NULL: none was held by then. `page`: conditions on this column, and
 * the order and number of rows, for both kinds apart: an index has the order of the first.
 */
const holdingsSince = (since: string, page: (column: string) => string) => `(
  (SELECT h.*, h.received_position AS place FROM wallet_holding h
    WHERE ${ofWallet} AND h.received_position <= ${since} ${page('received_position')})
  UNION ALL
  (SELECT * FROM (
    SELECT h.*, CASE WHEN h.first_position <= ${since} THEN (
      SELECT ${placeSince(since)} FROM wallet_move m
      WHERE m.partition = $1 AND m.wallet_id = $2 AND m.contract = h.contract AND m.token_hash = h.token_hash
    ) END AS place
    FROM wallet_holding h WHERE ${ofWallet} AND h.received_position > ${since}
  ) h WHERE true ${page('place')})
) h`

/**
 * Holdings of a wallet as rows `h`; `asOf`: at the end of the block with the last position $n, by its moves up to there. `since`: with the place in a
 * walk since a position; `page`: see `holdingsSince`. `sorted`: those at a block are in the order of an index, so that a page in this order reads only its
 * own.
 */
export function holdings({
  asOf,
  since,
  page = () => '',
  sorted = false,
}: {
  asOf: string | undefined
  since?: string | undefined
  page?: (column: string) => string
  sorted?: boolean
}): string {
  if (asOf === undefined && since !== undefined) return holdingsSince(since, page)
  if (asOf === undefined) return `(SELECT h.* FROM wallet_holding h WHERE ${ofWallet}) h`
  return `(
  SELECT * FROM (
    SELECT m.contract, m.token_hash, ${columnsOf(heldColumns(since))}
    FROM wallet_move m WHERE m.partition = $1 AND m.wallet_id = $2 AND m.position <= ${asOf}::int8 GROUP BY m.contract, m.token_hash
    ${sorted ? 'ORDER BY m.contract DESC, m.token_hash DESC' : ''}
  ) h WHERE h.amount > 0
) h`
}
