import type { TransferOrder } from '../../transferQuery.ts'
import { knownOf, shownByOwn } from '../wallets/wholeHoldings.ts'
import { behind, inPlace, transferPageColumns } from './transferOrder.ts'
import { collectionBytes, transferBytes } from './transferRow.ts'

/** Most transfers that a filtered page scans, so that each page ends in time. */
const mostSeen = 10_000

/** The columns of `transfer` besides its key. */
const columns =
  't.token_id, t.from_address, t.to_address, t.amount, t.transaction_hash, t.transaction_index, t.operator, t.block_hash, t.block_time'

/** `collectionBytes` of a contract that may not be stored yet. */
const contractBytes = `t.contract || set_byte('\\x00', 0, coalesce(c.verified_override, c.verified, false)::int
    + 2 * coalesce(c.spam_override, c.possible_spam, false)::int)`

/** Collections whose transfers are not in the wallet's own rows. */
const others = (complete: boolean) =>
  complete ? 'c.unindexed' : `c.status NOT IN ('known', 'none', 'nocode') AND c.standard IS NOT NULL`

/** The last row of a list that was cut at the scan limit. */
const cutOf = (seen: string, order: TransferOrder) =>
  `(SELECT s.position, s.item FROM ${seen} s ${inPlace('s', order)} OFFSET ${mostSeen - 1} LIMIT 1)`

/**
 * As `transferSql`, for a wallet over all contracts. Returns one transfer more than the limit if more follow; `end` is the last scanned place, if it
 * ends the page. `selected`: condition of a filter.
 */
export function wholeTransfersSql(complete: boolean, order: TransferOrder, selected = ''): string {
  const limited = `${inPlace('t', order)} LIMIT ${mostSeen}`
  const nearest = order === 'ASC' ? 'ASC' : 'DESC'
  const within = order === 'ASC' ? '<=' : '>='
  const own = (limit: string, condition: string) => `
  (SELECT t.position, t.item, t.contract, ${columns} FROM wallet_move t
   WHERE t.partition = $5 AND t.wallet_id = $6 AND ${behind('t', order)} AND ($9::bytea[] IS NULL OR t.contract = ANY($9)) AND ${condition}
   ${inPlace('t', order)} LIMIT ${limit})`
  // Without such collections, a page shows all own rows. Citus accepts no condition in LIMIT.
  const ownRows =
    complete && !selected
      ? `${own('$4::int8', 'NOT (SELECT h.others FROM has h)')} UNION ALL ${own(String(mostSeen), '(SELECT h.others FROM has h)')}`
      : own(String(mostSeen), 'true')
  return `
WITH has AS MATERIALIZED (
  SELECT EXISTS (SELECT 1 FROM collection c WHERE c.chain_id = $7 AND ${others(complete)}) AS others
), own AS MATERIALIZED (${ownRows}
), ${knownOf('own', '$7')}, other AS MATERIALIZED (
  SELECT t.position, t.item, t.collection_id, t.collection_partition FROM wallet_transfer t
  WHERE t.partition = $5 AND t.chain_id = $7 AND t.wallet = $8::bytea AND ${behind('t', order)}
    AND (SELECT h.others FROM has h) ${limited}
), cut AS MATERIALIZED (
  SELECT e.position, e.item FROM (${cutOf('own', order)} UNION ALL ${cutOf('other', order)}) e
  ORDER BY e.position ${nearest}, e.item ${nearest} LIMIT 1
), page AS MATERIALIZED (
  SELECT t.* FROM (
    SELECT $5::int2 AS partition, $6::int8 AS collection_id, t.position, t.item, ${columns}, ${contractBytes} AS contract_bytes
    FROM own t FULL JOIN known c ON c.address = t.contract WHERE ${shownByOwn(complete)}
    UNION ALL
    SELECT t.partition, t.collection_id, t.position, t.item, ${columns}, ${collectionBytes} AS contract_bytes
    FROM other w JOIN collection c ON c.partition = w.collection_partition AND c.id = w.collection_id AND ${others(complete)}
    JOIN transfer t ON t.partition = w.collection_partition AND t.collection_id = w.collection_id AND t.position = w.position AND t.item = w.item
      AND $8::bytea IN (t.from_address, t.to_address)
    WHERE $9::bytea[] IS NULL OR c.address = ANY($9)
  ) t
  WHERE (NOT EXISTS (SELECT 1 FROM cut) OR (t.position, t.item) ${within} (SELECT cut.position, cut.item FROM cut))${selected && ` AND ${selected}`}
  ${inPlace('t', order)} LIMIT $4::int8
)
SELECT ${transferPageColumns.select({
    transfers: `string_agg(${transferBytes('t.contract_bytes')}, '' ${inPlace('t', order)})`,
    end: `CASE WHEN count(*) < $4::int8 THEN (SELECT cut.position || ' ' || cut.item FROM cut) END`,
  })}
FROM page t`
}

const within = 't.position >= $1::int8 AND t.position < $2::int8'

/**
 * Number of a wallet's transfers on such pages, and of scanned ones, at most `$8` per source. $1 and $2: position bounds; $3 and $4: partition and id
 * of the wallet; $5: requested contracts, or null; $6: its chain; $7: its address.
 */
export const countWholeTransfersSql = (complete: boolean) => `
WITH own AS MATERIALIZED (
  SELECT t.contract, count(*) AS moves FROM (
    SELECT t.contract FROM wallet_move t
    WHERE t.partition = $3 AND t.wallet_id = $4 AND ${within} AND ($5::bytea[] IS NULL OR t.contract = ANY($5)) LIMIT $8::int8
  ) t GROUP BY t.contract
), ${knownOf('own', '$6')}, other AS MATERIALIZED (
  SELECT t.collection_id, t.collection_partition, count(*) AS moves FROM (
    SELECT t.collection_id, t.collection_partition FROM wallet_transfer t
    WHERE t.partition = $3 AND t.chain_id = $6 AND t.wallet = $7::bytea AND ${within}
      AND EXISTS (SELECT 1 FROM collection c WHERE c.chain_id = $6 AND ${others(complete)}) LIMIT $8::int8
  ) t GROUP BY t.collection_id, t.collection_partition
)
SELECT coalesce(sum(n.moves), 0)::int8, greatest((SELECT sum(o.moves) FROM own o), (SELECT sum(o.moves) FROM other o), 0)::int8 FROM (
  SELECT o.moves FROM own o FULL JOIN known c ON c.address = o.contract
  WHERE ${shownByOwn(complete)}
  UNION ALL
  SELECT o.moves FROM other o JOIN collection c ON c.partition = o.collection_partition AND c.id = o.collection_id AND ${others(complete)}
  WHERE $5::bytea[] IS NULL OR c.address = ANY($5)
) n`
