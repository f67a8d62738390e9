import type { Transaction } from '../../db/database.ts'
import type { Address } from '../../util/hex.ts'
import type { Standard } from '../transfers/decodeTransfers.ts'
import { firstPositionOf } from '../transfers/position.ts'
import { zeroBytes } from '../transfers/transfer.ts'

/**
 * Makes temporary tables of tokens and balances as they were at the end of a block, from the kept transfers. They have the columns that are
 * compared, so that the comparing code need not tell them from the stored ones. PostgreSQL sorts on disk where memory is too small.
 */
export async function rebuildTables(
  tx: Transaction,
  options: { partition: number; id: bigint; standard: Standard; address: Address; block: bigint },
): Promise<void> {
  const { partition, id, standard, address, block } = options
  const values = [partition, id, firstPositionOf(block + 1n), address]
  await tx.script(`SET LOCAL client_min_messages = warning; ${dropRebuilt}; ${createRebuilt}`)
  if (standard === 'ERC721') await tx.fresh.run(rebuildOwners, values)
  else {
    await tx.fresh.run(rebuildAmounts, values)
    await tx.fresh.run(rebuildBalances, values)
  }
  await tx.script(indexRebuilt)
}

const below = 'partition = $1 AND collection_id = $2 AND position < $3'
/** $4: the contract's address as text. */
const hash = 'md5($4::text || token_id::text)::uuid'

const dropRebuilt = 'DROP TABLE IF EXISTS verify_token, verify_balance'

const createRebuilt = `
CREATE TEMPORARY TABLE verify_token (
  partition smallint, collection_id bigint, token_hash uuid, token_id numeric, owner bytea, amount numeric
) ON COMMIT DROP;
CREATE TEMPORARY TABLE verify_balance (
  partition smallint, collection_id bigint, token_hash uuid, holder bytea, amount numeric
) ON COMMIT DROP;
`

/** ERC-721: the latest transfer decides. */
const rebuildOwners = `
INSERT INTO verify_token
SELECT $1::smallint, $2::bigint, ${hash}, token_id, nullif(to_address, ${zeroBytes}), (to_address <> ${zeroBytes})::int
FROM (
  SELECT DISTINCT ON (token_id) token_id, to_address FROM transfer WHERE ${below} ORDER BY token_id, position DESC, item DESC
) t`

const held = `
SELECT token_id, holder, sum(moved) AS amount
FROM transfer CROSS JOIN LATERAL (VALUES (from_address, -amount), (to_address, amount)) AS side (holder, moved)
WHERE ${below} GROUP BY token_id, holder`

/** ERC-1155: what its holders have together. */
const rebuildAmounts = `
INSERT INTO verify_token
SELECT $1::smallint, $2::bigint, ${hash}, token_id, NULL, coalesce(sum(amount) FILTER (WHERE amount > 0 AND holder <> ${zeroBytes}), 0)
FROM (${held}) h GROUP BY token_id`

const rebuildBalances = `
INSERT INTO verify_balance
SELECT $1::smallint, $2::bigint, ${hash}, holder, amount FROM (${held}) h WHERE holder <> ${zeroBytes} AND amount <> 0`

const indexRebuilt = `
CREATE UNIQUE INDEX ON verify_token (partition, collection_id, token_hash);
CREATE UNIQUE INDEX ON verify_balance (partition, collection_id, token_hash, holder);
ANALYZE verify_token;
ANALYZE verify_balance;
`
