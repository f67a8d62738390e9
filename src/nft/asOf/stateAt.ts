import type { Standards } from '../transfers/decodeTransfers.ts'
import { lastMoveAt, lastPositionAt, latestFirst, ofTokenUpTo } from '../transfers/tokenFacts.ts'
import { byErc1155, movedSome, zeroBytes } from '../transfers/transfer.ts'

/** Sender and receiver rows of each transfer `x` that satisfies `which`, as columns token_id, holder and amount. */
const sides = (which: string) => `
SELECT x.token_id, x.to_address AS holder, x.amount FROM transfer x WHERE ${which}
UNION ALL
SELECT x.token_id, x.from_address, -x.amount FROM transfer x WHERE ${which}`

const inCollection = 'x.partition = $1 AND x.collection_id = $2'

const ofCollection = `${inCollection} AND x.position <= $3`

const ofToken = `${inCollection}
  AND ${ofTokenUpTo('$3')}`

/** Condition for a transfer that makes a token an ERC-1155 one (`nft/transfers/transfer.ts`). */
const ofErc1155 = (which: string) => `${which} AND ${byErc1155('x')} AND ${movedSome('x')}`

const ofErc721 = (which: string) => `${which} AND NOT ${byErc1155('x')}`

/**
 * SQL condition for collections with both standards: no transfer that satisfies `which` made the token an ERC-1155 one.
 */
const without = (which: string) => `NOT EXISTS (SELECT 1 FROM transfer x WHERE ${ofErc1155(which)})`

const movedLater = `w.last_position > $3 AND ${ofToken}`

/** State of a token without later changes. */
const asNow = 'SELECT w.owner, w.last_position, w.amount, w.erc1155 WHERE w.last_position <= $3'

/** The receiver of the latest transfer that satisfies `which` owns the token. */
const ownedAt = (which: string) => `
SELECT nullif(x.to_address, ${zeroBytes}), x.position, (x.to_address <> ${zeroBytes})::int::numeric, false
FROM transfer x WHERE ${which}
${latestFirst} LIMIT 1`

/** Sum of the transfers that satisfy `which`. */
const summedAt = (which: string) => `
SELECT CASE WHEN count(*) FILTER (WHERE h.held) = 1 THEN (array_agg(h.holder) FILTER (WHERE h.held))[1] END,
  (${lastMoveAt('$3', 'w', inCollection)}),
  coalesce(sum(h.amount) FILTER (WHERE h.held), 0), true
FROM (
  SELECT s.holder, sum(s.amount) AS amount, sum(s.amount) > 0 AND s.holder <> ${zeroBytes} AS held
  FROM (${sides(which)}) s GROUP BY s.holder
) h
HAVING count(*) > 0`

/**
 * SQL of a token's owner, last position, amount and standard after position $3. It takes a row `w` of `token` in
 * collection $2 of partition $1 whose first position is at most $3. A token without a row, or with amount 0, is not
 * listed. Follows the rules of the merge (`nft/store/storeTransfers.ts`). An unchanged token is returned as its row
 * shows.
 */
export const stateAt: Record<Standards, string> = {
  ERC721: `${asNow} UNION ALL (${ownedAt(movedLater)})`,
  ERC1155: `${asNow} UNION ALL ${summedAt(movedLater)}`,
  both: `
${asNow}
UNION ALL (${ownedAt(`${ofErc721(movedLater)} AND ${without(ofToken)}`)})
UNION ALL ${summedAt(ofErc1155(movedLater))}`,
}

/** The same for a token of a pure ERC-1155 collection that has holders, without owner and amount, so that its transfers need not be added. */
export const stateOfHeld = `SELECT NULL::bytea, ${lastPositionAt('$3', 'w', inCollection)}, 1::numeric, true`

/** SQL of a token's holders with amounts after position $3, for rows `w` as in `stateAt`: columns owner and amount. */
export const holdingAt: Record<Standards, string> = {
  ERC721: owningAt(stateAt.ERC721),
  ERC1155: heldAt(movedLater),
  both: `${heldAt(ofErc1155(movedLater))} UNION ALL ${owningAt(`SELECT e.* FROM (${stateAt.both}) e (owner, last_position, amount, erc1155) WHERE NOT e.erc1155`)}`,
}

function owningAt(state: string): string {
  return `SELECT s.owner, s.amount FROM (${state}) s (owner, last_position, amount, erc1155) WHERE s.amount > 0`
}

/** ERC-721 tokens have no balances. */
function heldAt(which: string): string {
  return `
SELECT b.holder AS owner, b.amount FROM balance b
WHERE w.last_position <= $3 AND b.partition = $1 AND b.collection_id = $2 AND b.token_hash = w.token_hash AND b.amount > 0
UNION ALL
SELECT s.holder, sum(s.amount) FROM (${sides(which)}) s
WHERE s.holder <> ${zeroBytes} GROUP BY s.holder HAVING sum(s.amount) > 0`
}

/**
 * SQL of all holders of collection $2 in partition $1 after position $3, by token id, then holder. The text of an id
 * has another name than the column: Citus drops table names, and would sort by the text.
 */
export const holdersAt: Record<Standards, string> = {
  ERC721: `
SELECT s.token_id::text AS id, s.to_address, '1' FROM (${latestOfEach(ofCollection)}) s
WHERE s.to_address <> ${zeroBytes} ORDER BY s.token_id`,
  ERC1155: `
SELECT s.token_id::text AS id, s.holder, sum(s.amount)::text FROM (${sides(ofCollection)}) s WHERE s.holder <> ${zeroBytes}
GROUP BY s.token_id, s.holder HAVING sum(s.amount) > 0 ORDER BY s.token_id, s.holder`,
  both: `
SELECT h.token_id::text AS id, h.holder, h.amount::text FROM (${holdingsAt('both', ofCollection)}) h ORDER BY h.token_id, h.holder`,
}

/** The latest transfer of each token that satisfies `which`. */
function latestOfEach(which: string): string {
  return `
  SELECT DISTINCT ON (x.token_id) x.token_id, x.to_address FROM transfer x WHERE ${which}
  ORDER BY x.token_id, x.position DESC, x.item DESC`
}

/** SQL of holdings by the transfers that satisfy `which`: columns token_id, holder and amount. */
function holdingsAt(standards: Exclude<Standards, 'ERC721'>, which: string): string {
  const held = (moved: string) => `
SELECT s.token_id, s.holder, sum(s.amount) AS amount FROM (${sides(moved)}) s WHERE s.holder <> ${zeroBytes}
GROUP BY s.token_id, s.holder HAVING sum(s.amount) > 0`
  if (standards === 'ERC1155') return held(which)
  return `${held(ofErc1155(which))}
UNION ALL
SELECT s.token_id, s.to_address, 1 FROM (${latestOfEach(ofErc721(which))}) s
WHERE s.to_address <> ${zeroBytes} AND ${without(`${which} AND x.token_id = s.token_id`)}`
}

/** The same for all tokens up to position $3. */
export const holdingsUpTo = (standards: Exclude<Standards, 'ERC721'>) => holdingsAt(standards, ofCollection)
