import type { Sql } from '../src/db/database.ts'
import { partitionOf } from '../src/sync/partition.ts'
import { type Address, hexToBuffer } from '../src/util/hex.ts'

type Discovered = { address: Address; firstBlock: bigint; transfers: bigint; mints: bigint }

/**
 * Stores contracts that new blocks of a chain showed, as known contracts unless they already are collections.
 * Each was seen a minute after the previous one.
 */
export async function seedDiscovered(db: Sql, chainId: bigint, contracts: readonly Discovered[]): Promise<void> {
  for (const [i, { address, firstBlock, transfers, mints }] of contracts.entries()) {
    const key = [partitionOf(chainId, address), chainId, hexToBuffer(address)]
    await db.run(
      `INSERT INTO discovered_contract (partition, chain_id, address, first_block, first_time, blocks, transfers, mints)
       VALUES ($1, $2, $3, $4, $5, 2, $6, $7)`,
      [...key, firstBlock, 1_700_000_000 + 60 * i, transfers, mints],
    )
    await db.run(
      `INSERT INTO collection (partition, chain_id, address, standard, status, discovered) VALUES ($1, $2, $3, 'ERC721', 'known', true)
       ON CONFLICT (partition, chain_id, address) DO NOTHING`,
      key,
    )
  }
}
