import type { Database } from '../../db/database.ts'
import { quantity } from '../../util/hex.ts'
import { type Notice, writeNotices } from './notices.ts'

/** A chain that streams need. `fault`: why it does not move on at the moment; null: it does. */
export type WatchedChain = { id: bigint; name: string; fault: string | null }

/** An operational webhook is written for an error that lasts so long; nodes have shorter ones every day. */
const reportedAfterMs = 60_000

/**
 * Stores which chains stall and since when. Writes one operational webhook for each chain that stalls, and one when it continues, however many
 * processes call this and however often they restart.
 */
export async function noteStalls(db: Database, chains: readonly WatchedChain[], now: Date): Promise<void> {
  const stalled = chains.filter(({ fault }) => fault !== null)
  const sound = chains.filter(({ fault }) => fault === null)
  const idsOf = (list: readonly WatchedChain[]) => list.map(({ id }) => id)
  const byId = new Map(chains.map((chain) => [chain.id, chain]))
  const notice = (type: 'chain.stalled' | 'chain.resumed', id: bigint): Notice => {
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
    const notices = reported.map(([id]) => notice('chain.stalled', id))
    for (const [id, wasTold] of over) if (wasTold) notices.push(notice('chain.resumed', id))
    await writeNotices(tx, notices, now)
  })
}
