import type { Transaction } from '../../db/database.ts'
import { blockHashes } from '../../sync/chainStore.ts'
import { forgetConfirmations } from '../ledger/confirmations.ts'
import { retractWebhooks } from '../ledger/retractWebhooks.ts'

/** Above every block: until `goLive` lowers it, all blocks of a stream are history. */
const untilLive = 9_223_372_036_854_775_807n

/**
 * Restarts every stream of a chain after another chain with its id replaced it. Must be called while blocks of the
 * former chain are still stored. Retracts webhooks of blocks above `final`, as after a reorg. Webhooks of final blocks
 * stay, with their deliveries and statistics, and are still sent. Streams begin at the first block of the new chain, as
 * history, with their current definition; paused ones when they are resumed. Returns the number of streams.
 */
export async function restartStreams(tx: Transaction, chainId: bigint, final: bigint): Promise<number> {
  await retractWebhooks(tx, chainId, await blockHashes(tx, chainId, final + 1n))
  await forgetConfirmations(tx, chainId, -1n)
  // Earlier changes apply to the whole new chain.
  await tx.run(
    `UPDATE stream_change SET effective = (SELECT array_agg(CASE WHEN c = $1 THEN 0 ELSE e END ORDER BY place)
       FROM unnest(chain_ids, effective) WITH ORDINALITY AS u (c, e, place))
     WHERE $1 = ANY(chain_ids)`,
    [chainId],
  )
  await tx.run(
    `UPDATE stream_since SET from_blocks = (SELECT array_agg(CASE WHEN c = $1 THEN 0 ELSE b END ORDER BY place)
       FROM unnest(chain_ids, from_blocks) WITH ORDINALITY AS u (c, b, place))
     WHERE $1 = ANY(chain_ids)`,
    [chainId],
  )
  // No addition is needed: the stream's own history matches all its addresses from the first block.
  await tx.run('DELETE FROM stream_addition WHERE chain_id = $1', [chainId])
  await tx.run('DELETE FROM stream_brought WHERE chain_id = $1', [chainId])
  await tx.run('DELETE FROM stream_watched WHERE chain_id = $1', [chainId])
  return tx.run(
    `UPDATE stream_chain SET state = CASE WHEN state = 'paused' THEN 'paused' ELSE 'history' END, from_block = 0, next_block = 0,
       head_from = ${untilLive}, waiting = false, failure = NULL,
       failing_since = NULL, retry_at = NULL WHERE chain_id = $1`,
    [chainId],
  )
}
