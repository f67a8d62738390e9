import type { Database } from '../src/db/database.ts'
import { lastPositionOf } from '../src/nft/transfers/position.ts'

/**
 * Gives all wallets rows of blocks after `asOf`: they are not followed any more, or the tables that follow collections do not have these blocks yet.
 * Their pages show the state at the end of `asOf` then. null: their rows are of the chain's block.
 */
export async function setLater(
  db: Database,
  { complete, asOf }: { complete: boolean; asOf: bigint | null },
  later: 'idle' | 'pending' | null,
): Promise<void> {
  await db.run('UPDATE wallet SET live_since = $1, status = $2, to_block = $3', [
    complete ? new Date() : null,
    later === 'idle' ? 'idle' : 'live',
    later === 'idle' ? asOf : null,
  ])
  await db.run('DELETE FROM wallet_due')
  if (later === 'pending')
    await db.run(
      `INSERT INTO wallet_due (partition, collection_id, chain_id, at_head, from_position, to_position, transfers)
       SELECT partition, id, chain_id, true, $1::int8, $1::int8, 1 FROM collection WHERE unindexed AND status = 'live'`,
      [lastPositionOf(asOf!) + 1n],
    )
}
