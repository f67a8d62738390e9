import type { Standard } from '../transfers/decodeTransfers.ts'
import { movedSome, zeroBytes } from '../transfers/transfer.ts'

/** The giving and the getting side of each transfer `x` for which `which` holds, as columns token_id, holder and amount. */
const sides = (which: string) => `
SELECT x.token_id, x.to_address AS holder, x.amount FROM transfer x WHERE ${which}
UNION ALL
SELECT x.token_id, x.from_address, -x.amount FROM transfer x WHERE ${which}`

const ofCollection = 'x.partition = $1 AND x.collection_id = $2 AND x.position <= $3'

/**
 * The transfers of a token up to the position. Compared as pairs, so that the index of a token's transfers is always the best way: with the token id
 * and the position apart, PostgreSQL may read all of the collection up to the position for each of its tokens.
 */
const ofToken = `x.partition = $1 AND x.collection_id = $2
  AND (x.token_id, x.position) >= (w.token_id, 0) AND (x.token_id, x.position) <= (w.token_id, $3)`

const latestFirst = 'ORDER BY x.token_id DESC, x.position DESC, x.item DESC'

/**
 * SQL of a token's owner, last position and amount after position $3, of a row `w` of `token` in the collection $2 of partition $1 whose
 * first position is not above $3; no row and no amount above zero both mean that the token is not listed. The same rules as those of the
 * merge (`nft/store/storeTransfers.ts`). A token that did not move later is as its row says.
 */
export const stateAt: Record<Standard, string> = {
  ERC721: `
SELECT w.owner, w.last_position, w.amount WHERE w.last_position <= $3
UNION ALL
(SELECT nullif(x.to_address, ${zeroBytes}), x.position, (x.to_address <> ${zeroBytes})::int::numeric
FROM transfer x WHERE w.last_position > $3 AND ${ofToken}
${latestFirst} LIMIT 1)`,
  ERC1155: `
SELECT w.owner, w.last_position, w.amount WHERE w.last_position <= $3
UNION ALL
SELECT CASE WHEN count(*) FILTER (WHERE h.held) = 1 THEN (array_agg(h.holder) FILTER (WHERE h.held))[1] END,
  (SELECT x.position FROM transfer x WHERE ${ofToken} AND ${movedSome('x')} ${latestFirst} LIMIT 1),
  coalesce(sum(h.amount) FILTER (WHERE h.held), 0)
FROM (
  SELECT s.holder, sum(s.amount) AS amount, sum(s.amount) > 0 AND s.holder <> ${zeroBytes} AS held
  FROM (${sides(`w.last_position > $3 AND ${ofToken}`)}) s GROUP BY s.holder
) h
HAVING count(*) > 0`,
}

/** SQL of those who held a token, and how many pieces, after position $3: for rows `w` as in `stateAt`, columns owner and amount. */
export const holdingAt: Record<Standard, string> = {
  ERC721: `SELECT s.owner, s.amount FROM (${stateAt.ERC721}) s WHERE s.amount > 0`,
  ERC1155: `
SELECT b.holder AS owner, b.amount FROM balance b
WHERE w.last_position <= $3 AND b.partition = $1 AND b.collection_id = $2 AND b.token_hash = w.token_hash AND b.amount > 0
UNION ALL
SELECT s.holder, sum(s.amount) FROM (${sides(`w.last_position > $3 AND ${ofToken}`)}) s
WHERE s.holder <> ${zeroBytes} GROUP BY s.holder HAVING sum(s.amount) > 0`,
}

/**
 * SQL of everybody who held a token of collection $2 in partition $1 after position $3, in the order of token ids, then holders. The text of an id has
 * a name of its own: Citus leaves out which table a name is of, and would order by the text.
 */
export const holdersAt: Record<Standard, string> = {
  ERC721: `
SELECT s.token_id::text AS id, s.to_address, '1' FROM (
  SELECT DISTINCT ON (x.token_id) x.token_id, x.to_address FROM transfer x WHERE ${ofCollection}
  ORDER BY x.token_id, x.position DESC, x.item DESC
) s WHERE s.to_address <> ${zeroBytes} ORDER BY s.token_id`,
  ERC1155: `
SELECT s.token_id::text AS id, s.holder, sum(s.amount)::text FROM (${sides(ofCollection)}) s WHERE s.holder <> ${zeroBytes}
GROUP BY s.token_id, s.holder HAVING sum(s.amount) > 0 ORDER BY s.token_id, s.holder`,
}

/** SQL of both sides of the transfers up to position $3 of all tokens, or of the one with the id $4. */
export const sidesAt = (of: 'all' | 'one') =>
  sides(of === 'all' ? ofCollection : `${ofCollection} AND x.token_id = $4::numeric`)
