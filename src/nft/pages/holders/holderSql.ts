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

/**
 * SQL of holders with tokens, by address, in one row: a mark, a text as in `HolderBalances`, whether others follow, and the number of holders if
 * `counted`. Parameters: `after`, the previous address; `limit`, most holders; `most`, most tokens of all but the last.
 */
export const selectBalances = (
  standards: Standards,
  moment: HolderMoment,
  { after, limit, most, counted }: { after: string; limit: string; most: string; counted: boolean },
) => `
WITH h AS ${counted ? '' : 'NOT '}MATERIALIZED (${holdings(standards, moment)})
SELECT ${markOf(moment)}, p.text, p.is_cut,
  ${counted ? '(SELECT count(*) FROM (SELECT DISTINCT h.holder FROM h) d)' : 'NULL::int8'}
FROM (
  SELECT string_agg(encode(g.holder, 'hex') || ' ' || g.held, ';' ORDER BY g.holder) FILTER (WHERE g.fits) AS text, bool_or(NOT g.fits) AS is_cut
  FROM (
    SELECT g.holder, g.held, count(*) OVER before < ${limit} AND coalesce(sum(g.tokens) OVER before, 0) < ${most} AS fits
    FROM (
      SELECT h.holder, count(*)::int4 AS tokens, string_agg(h.token_id::text || '=' || h.amount::text, '+' ORDER BY h.token_id) AS held
      FROM h WHERE h.holder > ${after}::bytea GROUP BY h.holder ORDER BY h.holder LIMIT ${limit}::int8 + 1
    ) g WINDOW before AS (ORDER BY g.holder ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
  ) g
) p`
