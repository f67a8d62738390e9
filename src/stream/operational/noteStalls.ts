import type { Database } from '../../db/database.ts'
import { quantity } from '../../util/hex.ts'
import { type OperationalWebhook, writeOperationalWebhooks } from './operationalWebhooks.ts'

/** A chain that streams need. `fault`: why it is stalled; null: it is not. */
export type WatchedChain = { id: bigint; name: string; fault: string | null }

/** An operational webhook reports an error of at least this duration; nodes have shorter ones every day. */
const reportedAfterMs = 60_000

/**
 * Records stalled chains with their start times. Writes one operational webhook when a chain stalls, and one when it
 * continues, for any number of processes and restarts.
 */
export async function noteStalls(db: Database, chains: readonly WatchedChain[], now: Date): Promise<void> {
  const stalled = chains.filter(({ fault }) => fault !== null)
  const sound = chains.filter(({ fault }) => fault === null)
  const idsOf = (list: readonly WatchedChain[]) => list.map(({ id }) => id)
  const byId = new Map(chains.map((chain) => [chain.id, chain]))
  const operationalWebhook = (type: 'chain.stalled' | 'chain.resumed', id: bigint): OperationalWebhook => {
    const { name, fault } = byId.get(id)!
    return { type, data: { chainId: quantity(id), chain: name, reason: fault ?? '' } }
  }
  await db.transaction(async (tx) => {
    await tx.run(
      'INSERT INTO chain_stall (chain_id, since) SELECT unnest($1::bigint[]), $2::timestamptz ON CONFLICT DO NOTHING',
      [idsOf(stalled), now],
    )
    const reported = await tx.rows<[bigint]>(
      `UPDATE chain_stall SET told = true WHERE chain_id = ANY($1::bigint[]) AND NOT told AND since <= $2
       RETURNING chain_id`,
      [idsOf(stalled), new Date(now.getTime() - reportedAfterMs)],
    )
    const over = await tx.rows<[bigint, boolean]>(
      'DELETE FROM chain_stall WHERE chain_id = ANY($1::bigint[]) RETURNING chain_id, told',
      [idsOf(sound)],
    )
    const operationalWebhooks = reported.map(([id]) => operationalWebhook('chain.stalled', id))
    for (const [id, wasReported] of over)
      if (wasReported) operationalWebhooks.push(operationalWebhook('chain.resumed', id))
    await writeOperationalWebhooks(tx, operationalWebhooks, now)
  })
}
