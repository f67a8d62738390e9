import type { Transaction } from '../../db/database.ts'
import type { Address } from '../../util/hex.ts'
import { firstPositionOf } from '../transfers/position.ts'
import { byErc1155, movedSome, zeroBytes } from '../transfers/transfer.ts'

/**
 * Builds temporary tables of tokens and balances at the end of a block, from the stored transfers. They have the compared columns, so that the
 * comparison works on both. PostgreSQL sorts on disk if memory is too small.
 */
export async function rebuildTables(
  tx: Transaction,
  { partition, id, address, block }: { partition: number; id: bigint; address: Address; block: bigint },
): Promise<void> {
  const values = [partition, id, firstPositionOf(block + 1n), address]
  await tx.script(`SET LOCAL client_min_messages = warning; ${dropRebuilt}; ${createRebuilt}`)
  await tx.fresh.run(rebuildAmounts, values)
  await tx.fresh.run(rebuildBalances, values)
  await tx.fresh.run(rebuildOwners, values)
  await tx.script(indexRebuilt)
}

const below = 'transfer.partition = $1 AND transfer.collection_id = $2 AND transfer.position < $3'
/** Transfers that decide ERC-1155 tokens. */
const erc1155Transfers = `${below} AND ${byErc1155('transfer')} AND ${movedSome('transfer')}`
const otherTransfers = `${below} AND NOT ${byErc1155('transfer')}`
/** $4: the contract's address as text. */
const hash = 'md5($4::text || token_id::text)::uuid'

const dropRebuilt = 'DROP TABLE IF EXISTS verify_token, verify_balance'

const createRebuilt = `
CREATE TEMPORARY TABLE verify_token (
  partition smallint, collection_id bigint, token_hash uuid, token_id numeric, owner bytea, amount numeric, erc1155 boolean
) ON COMMIT DROP;
CREATE TEMPORARY TABLE verify_balance (
  partition smallint, collection_id bigint, token_hash uuid, holder bytea, amount numeric
) ON COMMIT DROP;
`

/** ERC-721: the latest transfer decides. Materialized, as Citus does not join a distributed table with a temporary one. */
const rebuildOwners = `
WITH latest AS MATERIALIZED (
  SELECT DISTINCT ON (token_id) token_id, to_address FROM transfer WHERE ${otherTransfers} ORDER BY token_id, position DESC, item DESC
)
INSERT INTO verify_token
SELECT $1::smallint, $2::bigint, ${hash}, token_id, nullif(to_address, ${zeroBytes}), (to_address <> ${zeroBytes})::int, false
FROM latest WHERE NOT EXISTS (SELECT 1 FROM verify_token v WHERE v.token_id = latest.token_id)`

const held = `
SELECT token_id, holder, sum(moved) AS amount
FROM transfer CROSS JOIN LATERAL (VALUES (from_address, -amount), (to_address, amount)) AS side (holder, moved)
WHERE ${erc1155Transfers} GROUP BY token_id, holder`

/** ERC-1155: the sum of the holders' balances. */
const rebuildAmounts = `
INSERT INTO verify_token
SELECT $1::smallint, $2::bigint, ${hash}, token_id, NULL, coalesce(sum(amount) FILTER (WHERE amount > 0 AND holder <> ${zeroBytes}), 0), true
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
