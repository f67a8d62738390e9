import type { Standards } from '../transfers/decodeTransfers.ts'
import { tokenHashSql } from '../transfers/tokenHash.ts'
import { byErc1155, movedSome, zeroBytes } from '../transfers/transfer.ts'
import { holdingsUpTo } from './stateAt.ts'

/**
 * SQL of the number of tokens of collection $2 in partition $1 that are listed after position $3. Hashes are from $4 to
 * below $5; if $6 is true, $5 is included. Reads all transfers up to the position, about 2 µs each.
 */
export const countAt: Record<Standards, string> = {
  ERC721: `
SELECT count(*)::int FROM (${latest(ofPart())}) s WHERE s.to_address <> ${zeroBytes}`,
  ERC1155: `
SELECT count(DISTINCT h.token_id)::int FROM (${held(ofPart())}) h`,
  both: `
WITH erc1155_tokens AS MATERIALIZED (
  SELECT x.token_id, x.from_address, x.to_address, x.amount ${ofPart()} AND ${byErc1155('x')} AND ${movedSome('x')}
)
SELECT count(DISTINCT h.token_id)::int FROM (
  ${held('FROM erc1155_tokens x')}
  UNION ALL
  SELECT s.token_id FROM (${latest(`${ofPart()} AND NOT ${byErc1155('x')}`)}) s
  WHERE s.to_address <> ${zeroBytes} AND NOT EXISTS (SELECT 1 FROM erc1155_tokens x WHERE x.token_id = s.token_id)
) h`,
}

/** The latest transfer of each token. */
function latest(transfers: string): string {
  return `SELECT DISTINCT ON (x.token_id) x.token_id, x.to_address ${transfers} ORDER BY x.token_id, x.position DESC, x.item DESC`
}

/** Held tokens, one row per holder. */
function held(transfers: string): string {
  return `
  SELECT x.token_id FROM (SELECT x.token_id, x.from_address, x.to_address, x.amount ${transfers}) x
  CROSS JOIN LATERAL (VALUES (x.from_address, -x.amount), (x.to_address, x.amount)) AS side (holder, amount)
  WHERE side.holder <> ${zeroBytes} GROUP BY x.token_id, side.holder HAVING sum(side.amount) > 0`
}

function ofPart(): string {
  const hash = tokenHashSql('c.address', 'x.token_id')
  return `
  FROM transfer x JOIN collection c ON c.partition = $1 AND c.id = $2
  WHERE x.partition = $1 AND x.collection_id = $2 AND x.position <= $3 AND (
    ($4::uuid IS NULL AND $5::uuid IS NULL) OR (${hash} >= $4 AND (${hash} < $5 OR ($6 AND ${hash} = $5))))`
}

/** SQL of the number of owners, one per token, of collection $2 in partition $1 after position $3, if there are ERC-1155 tokens. */
export const countHoldingsAt = (standards: Exclude<Standards, 'ERC721'>) => `
SELECT count(*)::int FROM (${holdingsUpTo(standards)}) h`
