import { partitionSql } from '../../../sync/partition.ts'
import { stillAt } from '../../asOf/readBlockAt.ts'
import { holdersAt } from '../../asOf/stateAt.ts'
import type { Standards } from '../../transfers/decodeTransfers.ts'
import { sameToken } from '../../transfers/tokenHash.ts'
import { versionOf } from '../rows/syncPosition.ts'

const ofCollection = (row: string) => `${row}.partition = $1 AND ${row}.collection_id = $2`

const owners = (where: string) =>
  `SELECT t.owner AS holder, t.token_id, t.amount FROM token t WHERE ${ofCollection('t')} AND t.amount > 0 AND t.owner IS NOT NULL${where}`

const balances = `SELECT b.holder, t.token_id, b.amount FROM token t JOIN balance b ON ${sameToken('b', 't')}
  WHERE ${ofCollection('t')} AND t.amount > 0 AND b.amount > 0`

/** SQL of holdings of collection $2 in partition $1: columns holder, token_id and amount. */
const holdingsNow: Record<Standards, string> = {
  ERC721: owners(''),
  ERC1155: balances,
  both: `${owners(' AND NOT t.erc1155')} UNION ALL ${balances}`,
}

/** The same at the end of a block with last position $3. */
const holdingsThen = (standards: Standards) =>
  `SELECT x.holder, x.id::numeric AS token_id, x.amount::numeric AS amount FROM (${holdersAt[standards]}) x (id, holder, amount)`

/** Now: $1 partition, $2 collection. At a block, also: $3 last position, $4 number, $5 hash. */
export type HolderMoment = 'now' | 'then'

const holdings = (standards: Standards, moment: HolderMoment) =>
  moment === 'now' ? holdingsNow[standards] : holdingsThen(standards)

/** The first column of each statement: now, the version of the collection; at a block, whether the state is still of that block. */
const markOf = (moment: HolderMoment) =>
  moment === 'now' ? versionOf({ partition: '$1', id: '$2' }) : `${stillAt('$4', '$5')}::text`

/**
 * SQL of all holders, in one row: a mark, the total amount, and the holders by amount descending, then address, as bytes. Each has its address,
 * number of different tokens, rank by address, and amount as PostgreSQL's binary numeric.
 */
export const selectHolderList = (standards: Standards, moment: HolderMoment) => `
SELECT ${markOf(moment)}, coalesce(sum(g.amount), 0)::text,
  string_agg(g.holder || int4send(g.tokens::int4) || int4send((g.place - 1)::int4) || numeric_send(g.amount), '' ORDER BY g.amount DESC, g.holder)
FROM (
  SELECT h.holder, sum(h.amount) AS amount, count(*) AS tokens, row_number() OVER (ORDER BY h.holder) AS place
  FROM (${holdings(standards, moment)}) h GROUP BY h.holder
) g`

/**
 * For current holdings. Without table statistics, PostgreSQL plans a nested loop that reads all balances of a collection for each token: 10 s for
 * 75,000 balances of 100 tokens.
 */
export const withoutNestedLoops = 'SET LOCAL enable_nestloop = off'

/** SQL of holders with their tokens `held` as a text, and of these tokens: see `HolderBalances`. */
const holdersText = (row: string) =>
  `string_agg(encode(${row}.holder, 'hex') || ' ' || ${row}.held, ';' ORDER BY ${row}.holder)`
const tokensText = (row: string) =>
  `string_agg(${row}.token_id::text || '=' || ${row}.amount::text, '+' ORDER BY ${row}.token_id)`

/** SQL: whether a holder `g` is on the page, in the window `before`. */
const fits = (limit: string, most: string) =>
  `count(*) OVER before < ${limit} AND coalesce(sum(g.tokens) OVER before, 0) < ${most}`
const before = 'WINDOW before AS (ORDER BY g.holder ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)'

/**
 * SQL of holders with tokens, by address, in one row: a mark, a text as in `HolderBalances`, whether others follow, and the number of holders.
 * Parameters: `after`, the previous address; `limit`, most holders; `most`, most tokens of all but the last.
 */
export const selectBalances = (
  standards: Standards,
  moment: HolderMoment,
  { after, limit, most }: { after: string; limit: string; most: string },
) => `
WITH h AS MATERIALIZED (${holdings(standards, moment)})
SELECT ${markOf(moment)}, p.text, p.is_cut,
  (SELECT count(*) FROM (SELECT DISTINCT h.holder FROM h) d)
FROM (
  SELECT ${holdersText('g')} FILTER (WHERE g.fits) AS text, bool_or(NOT g.fits) AS is_cut
  FROM (
    SELECT g.holder, g.held, ${fits(limit, most)} AS fits
    FROM (
      SELECT h.holder, count(*)::int4 AS tokens, ${tokensText('h')} AS held
      FROM h WHERE h.holder > ${after}::bytea GROUP BY h.holder ORDER BY h.holder LIMIT ${limit}::int8 + 1
    ) g ${before}
  ) g
) p`

/**
 * SQL of the same for a collection whose holders are kept (`nft/holders`), from the tokens of its wallets: it reads only those of the page. No row if
 * the holders are not complete, or if the wallets' tokens have pending transfers. $3: `after`; $4: `limit`; $5: `most`.
 *
 * On a cluster, wallets are on other nodes. Pending transfers are looked for first, and the version is read last: if it is that of an earlier state,
 * none came in between. A node that has not committed its part of an update yet shows the wallets' tokens before it.
 */
export const selectKeptBalances = `
WITH kept AS MATERIALIZED (
  SELECT i.holders, c.chain_id FROM holder_index i JOIN collection c ON c.partition = i.partition AND c.id = i.collection_id
  WHERE ${ofCollection('i')} AND i.built
    AND NOT EXISTS (SELECT 1 FROM wallet_due d WHERE ${ofCollection('d')})
), page AS MATERIALIZED (
  SELECT g.holder, (SELECT k.chain_id FROM kept k) AS chain_id, ${fits('$4', '$5')} AS fits
  FROM (
    SELECT h.holder, h.tokens FROM holder h
    WHERE ${ofCollection('h')} AND h.holder > $3::bytea ORDER BY h.holder LIMIT $4::int8 + 1
  ) g ${before}
), held AS MATERIALIZED (
  SELECT w.wallet, w.token_hash, w.amount FROM page p
  JOIN wallet_token w ON w.partition = ${partitionSql('p.chain_id', 'p.holder')} AND w.chain_id = p.chain_id AND w.wallet = p.holder AND w.collection_id = $2
  WHERE p.fits
), owned AS MATERIALIZED (
  SELECT h.holder, ${tokensText('h')} AS held FROM (
    SELECT h.wallet AS holder, (SELECT t.token_id FROM token t WHERE ${ofCollection('t')} AND t.token_hash = h.token_hash) AS token_id, h.amount
    FROM held h
  ) h GROUP BY h.holder
)
SELECT ${markOf('now')}, (SELECT ${holdersText('o')} FROM owned o), (SELECT bool_or(NOT p.fits) FROM page p), k.holders
FROM kept k`
