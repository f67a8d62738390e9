import type { Sql } from '../src/db/database.ts'
import { tokenHash } from '../src/nft/transfers/tokenHash.ts'
import { type Address, hexToBuffer } from '../src/util/hex.ts'
import { seedCollection } from './seedCollection.ts'

export type SeededBalance = { tokenId: bigint; holder: Address; amount: bigint }

/** Seeds a live ERC-1155 with these balances, and its tokens, as storing transfers does. */
export async function seedBalances(
  db: Sql,
  address: Address,
  balances: readonly SeededBalance[],
): Promise<{ partition: number; id: bigint }> {
  const key = await seedCollection(db, {
    address,
    tokens: [...new Set(balances.map(({ tokenId }) => tokenId))],
    columns: { standard: 'ERC1155' },
  })
  await db.run(
    `INSERT INTO balance (partition, collection_id, token_hash, holder, amount)
     SELECT $1, $2, * FROM unnest($3::uuid[], $4::bytea[], $5::numeric[])`,
    [
      ...[key.partition, key.id],
      balances.map(({ tokenId }) => tokenHash(address, String(tokenId))),
      balances.map(({ holder }) => hexToBuffer(holder)),
      balances.map(({ amount }) => String(amount)),
    ],
  )
  await db.run(
    `UPDATE token t SET amount = s.amount, holders = s.holders, owner = CASE WHEN s.holders = 1 THEN s.owner END
     FROM (
       SELECT token_hash, sum(amount) AS amount, count(*) FILTER (WHERE amount > 0) AS holders,
         (array_agg(holder) FILTER (WHERE amount > 0))[1] AS owner
       FROM balance WHERE collection_id = $1 GROUP BY token_hash
     ) s WHERE t.collection_id = $1 AND t.token_hash = s.token_hash`,
    [key.id],
  )
  return key
}
