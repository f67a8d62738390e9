import type { Sql } from '../src/db/database.ts'
import { tokenHash } from '../src/nft/transfers/tokenHash.ts'
import { partitionOf } from '../src/sync/partition.ts'
import { type Address, hexToBuffer } from '../src/util/hex.ts'

export type Seed = {
  address: Address
  chainId?: bigint
  /** Token ids; each token has a different owner. */
  tokens?: readonly bigint[]
  /** Values of columns of the table `collection`. */
  columns?: Record<string, unknown>
  /** The block up to which its chain is followed, and the chain's head. */
  chain?: { block: bigint; head: bigint }
}

/** Stores a collection as indexing does: live and synced, unless the columns say otherwise. */
export async function seedCollection(db: Sql, seed: Seed): Promise<{ partition: number; id: bigint }> {
  const { address, chainId = 1n, tokens = [], chain = { block: 1_000n, head: 1_000n } } = seed
  const partition = partitionOf(chainId, address)
  const columns: Record<string, unknown> = {
    status: 'live',
    standard: 'ERC721',
    name: 'Seeds',
    symbol: 'SEED',
    from_block: 10n,
    to_block: chain.block,
    ...seed.columns,
    partition,
    chain_id: chainId,
    address: hexToBuffer(address),
    tokens: BigInt(tokens.length),
  }
  await db.run(
    `INSERT INTO chain (id, genesis_hash, block_number, block_hash, head_number, finalized_number) VALUES ($1, '\\x00', $2, '\\x00', $3, $2)
     ON CONFLICT (id) DO UPDATE SET block_number = excluded.block_number, head_number = excluded.head_number`,
    [chainId, chain.block, chain.head],
  )
  const names = Object.keys(columns)
  const [row] = await db.rows<[bigint]>(
    `INSERT INTO collection (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')}) RETURNING id`,
    Object.values(columns),
  )
  const id = row![0]
  await addTokens(db, { address, partition, id, tokens })
  return { partition, id }
}

export async function addTokens(
  db: Sql,
  options: { address: Address; partition: number; id: bigint; tokens: readonly bigint[] },
): Promise<void> {
  const { address, partition, id, tokens } = options
  await db.run(
    `INSERT INTO token (partition, collection_id, token_hash, token_id, owner, minter, last_position, first_position, amount, holders)
     SELECT $1, $2, h::uuid, i, decode(lpad(to_hex(n), 40, '0'), 'hex'), '\\x${'ab'.repeat(20)}', 200 * 1048576, 100 * 1048576, 1, 1
     FROM unnest($3::text[], $4::numeric[]) WITH ORDINALITY AS t (h, i, n)`,
    [partition, id, tokens.map((token) => tokenHash(address, String(token))), tokens.map(String)],
  )
}
