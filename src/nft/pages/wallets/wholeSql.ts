import { partitionSql } from '../../../sync/partition.ts'
import { holdingOf } from '../../transfers/holdingSql.ts'
import { addressBytes } from '../../transfers/tokenFacts.ts'
import type { WholeOrder } from '../../walletQuery.ts'
import { isSpam } from './walletTokens.ts'
import { contractRow, endColumns, tokenPlace, tokenRow } from './wholeRows.ts'

// Statements on a wallet that is indexed over all contracts of its chain. Parameters: $1 the partition of the wallet, $2 its id, $3 the
// chain, $4 its address.

const columnsOf = (columns: Record<string, string>) =>
  Object.entries(columns)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', ')

/** The row of `collection` of a contract, as `c`; it has none until the contract is noted. */
export const contractOf = (contract: string, chain = '$3') =>
  `collection c ON c.partition = ${partitionSql(`${chain}::int8`, contract)} AND c.chain_id = ${chain} AND c.address = ${contract}`

/** Whether a collection shows what wallets have of it by its own rows. */
export const shownByOwn = (complete: boolean) =>
  complete ? 'c.unindexed IS NOT TRUE' : `(c.id IS NULL OR c.status IN ('known', 'none', 'nocode'))`

/** The tokens of collections that the wallet's own rows do not show: of those, the tables that follow collections have them. */
const heldOfCollections = (complete: boolean) => `
SELECT c.address AS contract, t.token_hash, t.amount, c.partition AS c_partition, c.id AS c_id
FROM ${
  complete
    ? `(SELECT * FROM collection WHERE chain_id = $3 AND unindexed) c`
    : `(SELECT * FROM collection WHERE chain_id = $3 AND status NOT IN ('known', 'none', 'nocode')) c`
} JOIN wallet_collection w ON w.partition = $1 AND w.chain_id = $3 AND w.wallet = $4 AND w.collection_id = c.id
JOIN wallet_token t ON t.partition = $1 AND t.chain_id = $3 AND t.wallet = $4 AND t.collection_id = c.id`

/** The same at the end of the block with the last position $n: what the wallet's transfers of collections up to there come to, as rows `h`. */
const heldOfCollectionsAt = (last: string) => `
SELECT * FROM (
  SELECT c.address AS contract, md5('0x' || encode(c.address, 'hex') || m.token_id::text)::uuid AS token_hash, c.partition AS c_partition, c.id AS c_id,
    ${columnsOf(holdingOf('$4::bytea'))}
  FROM collection c
  JOIN wallet_transfer w ON w.partition = $1 AND w.chain_id = $3 AND w.wallet = $4 AND w.collection_id = c.id AND w.position <= ${last}::int8
  JOIN transfer m ON m.partition = c.partition AND m.collection_id = c.id AND m.position = w.position AND m.item = w.item
  WHERE c.chain_id = $3 AND c.unindexed GROUP BY c.address, c.partition, c.id, m.token_id
) h WHERE h.amount > 0`

/** What a record shows of a token of the wallet besides its hash and its owner, as `tokenFacts`. A collection may know an earlier mint than the wallet's own transfers. */
const ownFacts = (
  asOf: boolean,
) => `int8send(${asOf ? 'h.last_position' : 'greatest(h.last_position, t.last_position)'}) ||
  int8send(coalesce(t.minted_position, t.first_position, h.minted_position, h.first_position)) || ${addressBytes('coalesce(t.minter, h.minter)')}
  || numeric_send(h.token_id) || numeric_send(h.amount)`

const collectionFacts = `int8send(h.last_position) || int8send(coalesce(h.minted_position, h.first_position)) || ${addressBytes('h.minter')}
  || numeric_send(h.token_id) || numeric_send(h.amount)`

/** Most rows of a wallet that one page looks at where it may leave some out. */
export const mostSeen = 5_000

/** `first`: of each of the only contracts the first token alone. */
export type WholeChoice = { complete: boolean; filtered: boolean; asOf: boolean; order: WholeOrder; first?: boolean }

/** What a wallet holds, as rows `h`; `asOf`: at the end of the block with the last position $n, as its moves up to there come to. */
const holdings = (asOf: string | undefined) =>
  asOf === undefined
    ? '(SELECT * FROM wallet_holding WHERE partition = $1 AND wallet_id = $2) h'
    : `(
  SELECT * FROM (
    SELECT m.contract, m.token_hash, ${columnsOf(holdingOf('$4::bytea'))}
    FROM wallet_move m WHERE m.partition = $1 AND m.wallet_id = $2 AND m.position <= ${asOf}::int8 GROUP BY m.contract, m.token_hash
  ) h WHERE h.amount > 0
) h`

/** The first token of each of the contracts $8. */
const firstHoldings = `(
  SELECT h.* FROM unnest($8::bytea[]) AS k (contract) CROSS JOIN LATERAL (
    SELECT * FROM wallet_holding h WHERE h.partition = $1 AND h.wallet_id = $2 AND h.contract = k.contract ORDER BY h.token_hash DESC LIMIT 1
  ) h
) h`

const places = {
  contract: {
    below: '(h.contract, h.token_hash) < ($5::bytea, $6::uuid)',
    inOrder: (row: string) => `ORDER BY ${row}.contract DESC, ${row}.token_hash DESC`,
    columns: ['contract', 'hash'] as const,
  },
  acquired: {
    below: '(h.received_position, h.contract, h.token_hash) < ($11::int8, $5::bytea, $6::uuid)',
    inOrder: (row: string) => `ORDER BY ${row}.received_position DESC, ${row}.contract DESC, ${row}.token_hash DESC`,
    columns: ['receivedPosition', 'contract', 'hash'] as const,
  },
}

/** What is wanted of contracts that count as spam, as a parameter: null: all contracts; false: no spam; true: spam alone. */
const ofSpam = (parameter: string) => `(${parameter}::bool IS NULL OR coalesce(${isSpam}, false) = ${parameter}::bool)`

/** $8: the only contracts, or null. $9: see `ofSpam`. */
const wanted = `AND ($8::bytea[] IS NULL OR h.contract = ANY($8)) AND ${ofSpam('$9')}`

const rowColumns =
  'contract, token_hash, token_id, amount, erc1155, facts, received_position, received_time, c_id, c_partition'

/**
 * A row for each token of a page, and one more where others follow; where the page looked at `mostSeen` rows without being full, the last of them is in the
 * columns of the end. $5, $6 and $11: the token before the first one wanted; $7: the limit and one; $10: the last position that counts, or null.
 */
export const tokensSql = ({ complete, filtered, asOf, order, first = false }: WholeChoice) => {
  const { below, inOrder } = places[order]
  return `
WITH given AS (SELECT $8::bytea[], $9::bool, $10::int8, $11::int8), seen AS MATERIALIZED (
  SELECT h.* FROM ${first ? firstHoldings : holdings(asOf ? '$10' : undefined)} WHERE ${below} ${inOrder('h')} LIMIT ${filtered || !complete ? mostSeen : '$7'}
), own AS MATERIALIZED (
  SELECT h.contract, h.token_hash, h.token_id, h.amount, h.erc1155, ${ownFacts(asOf)} AS facts, h.received_position, h.received_time,
    c.id AS c_id, c.partition AS c_partition
  FROM seen h LEFT JOIN ${contractOf('h.contract')}
  LEFT JOIN token t ON t.partition = c.partition AND t.collection_id = c.id AND t.token_hash = h.token_hash AND c.status = 'live'
  WHERE ${shownByOwn(complete)} ${filtered ? wanted : ''} ${inOrder('h')} LIMIT $7
), others AS MATERIALIZED (
  SELECT ${first ? 'DISTINCT ON (h.contract)' : ''} h.*, ${collectionFacts} AS facts FROM (${
    asOf
      ? heldOfCollectionsAt('$10')
      : `
    SELECT h.contract, h.token_hash, h.amount, h.c_id, h.c_partition, t.token_id, t.erc1155, t.last_position AS received_position,
      x.block_time AS received_time, t.last_position, t.first_position, t.minted_position, t.minter
    FROM (${heldOfCollections(complete)}) h
    JOIN token t ON t.partition = h.c_partition AND t.collection_id = h.c_id AND t.token_hash = h.token_hash
    LEFT JOIN transfer x ON x.partition = t.partition AND x.collection_id = t.collection_id AND x.position = t.last_position AND x.item = 0`
  }
  ) h JOIN collection c ON c.partition = h.c_partition AND c.id = h.c_id
  WHERE ${below} ${filtered ? wanted : ''} ${inOrder('h')} LIMIT $7
), page AS MATERIALIZED (
  SELECT * FROM (SELECT ${rowColumns} FROM own UNION ALL SELECT ${rowColumns} FROM others) h ${inOrder('h')} LIMIT $7
)
SELECT ${tokenRow.columns}
FROM page p LEFT JOIN collection c ON c.partition = p.c_partition AND c.id = p.c_id
UNION ALL
SELECT ${endColumns}
FROM (SELECT s.contract, s.token_hash, s.received_position FROM seen s ${inOrder('s')} OFFSET ${mostSeen - 1} LIMIT 1) l
WHERE (SELECT count(*) FROM page) < $7
ORDER BY ${places[order].columns.map((name) => `${tokenPlace(name)} DESC`).join(', ')}`
}

/**
 * A row for each contract of which the wallet holds tokens, and one more where others follow. $5: the address before the first one wanted; $6: the limit and
 * one; $7: see `ofSpam`; $8: the last position that counts, or null.
 */
export const contractsSql = (complete: boolean, asOf: boolean) => `
WITH given AS (SELECT $8::int8), seen AS MATERIALIZED (
  SELECT h.contract, count(*) AS tokens, sum(h.amount) AS pieces, bool_or(h.erc1155) AS erc1155 FROM ${holdings(asOf ? '$8' : undefined)}
  WHERE h.contract < $5::bytea GROUP BY h.contract ORDER BY h.contract DESC LIMIT ${mostSeen}
), own AS MATERIALIZED (
  SELECT h.contract, h.tokens, h.pieces, h.erc1155, c.id AS c_id, c.partition AS c_partition FROM seen h LEFT JOIN ${contractOf('h.contract')}
  WHERE ${shownByOwn(complete)} AND ${ofSpam('$7')} ORDER BY h.contract DESC LIMIT $6
), others AS MATERIALIZED (
  SELECT h.contract, count(*) AS tokens, sum(h.amount) AS pieces, false AS erc1155, h.c_id, h.c_partition
  FROM (${asOf ? heldOfCollectionsAt('$8') : heldOfCollections(complete)}) h JOIN collection c ON c.partition = h.c_partition AND c.id = h.c_id
  WHERE h.contract < $5::bytea AND ${ofSpam('$7')} GROUP BY h.contract, h.c_id, h.c_partition ORDER BY h.contract DESC LIMIT $6
)
SELECT ${contractRow.columns}
FROM (SELECT * FROM own UNION ALL SELECT * FROM others) p LEFT JOIN collection c ON c.partition = p.c_partition AND c.id = p.c_id
ORDER BY p.contract DESC LIMIT $6`

/** How many tokens, and of how many contracts. $5: the only contracts, or null; $6: see `ofSpam`; $7: as $8 there. */
export const countSql = (complete: boolean, asOf: boolean) => `
WITH given AS (SELECT $7::int8, $4::bytea), own AS MATERIALIZED (
  SELECT h.contract, count(*) AS tokens FROM ${holdings(asOf ? '$7' : undefined)}
  WHERE ($5::bytea[] IS NULL OR h.contract = ANY($5)) GROUP BY h.contract
), others AS MATERIALIZED (
  SELECT h.contract, count(*) AS tokens, h.c_id, h.c_partition FROM (${asOf ? heldOfCollectionsAt('$7') : heldOfCollections(complete)}) h
  WHERE ($5::bytea[] IS NULL OR h.contract = ANY($5)) GROUP BY h.contract, h.c_id, h.c_partition
)
SELECT coalesce(sum(n.tokens), 0)::int8, count(*) FROM (
  SELECT h.tokens FROM own h LEFT JOIN ${contractOf('h.contract')} WHERE ${shownByOwn(complete)} AND ${ofSpam('$6')}
  UNION ALL
  SELECT h.tokens FROM others h JOIN collection c ON c.partition = h.c_partition AND c.id = h.c_id WHERE ${ofSpam('$6')}
) n`
