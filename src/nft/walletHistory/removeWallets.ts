import type { Sql, Transaction } from '../../db/database.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import { walletDemandChannel } from './createWalletDemand.ts'

/** Wallets per step of deletion: each has at most `wallets.maxTransfers` rows. */
const walletsAtOnce = 100

/** Deletes rows of removed wallets in this process's partitions. Continues after a crash. */
export async function removeWalletRows(sql: Sql, leases: Pick<Leases, 'held'>, signal: AbortSignal): Promise<void> {
  const removed = await sql.rows<[number, bigint]>(
    `SELECT partition, id FROM wallet WHERE status = 'removed' AND partition = ANY($1::smallint[]) LIMIT ${walletsAtOnce}`,
    [[...leases.held('partition')]],
  )
  for (const key of removed) {
    if (signal.aborted) return
    await sql.run('DELETE FROM wallet_holding WHERE partition = $1 AND wallet_id = $2', key)
    await sql.run('DELETE FROM wallet_move WHERE partition = $1 AND wallet_id = $2', key)
    await sql.run('DELETE FROM wallet_wide_log WHERE partition = $1 AND wallet_id = $2', key)
    await sql.run('DELETE FROM wallet_move_block WHERE partition = $1 AND wallet_id = $2', key)
    await sql.run(`DELETE FROM wallet WHERE partition = $1 AND id = $2 AND status = 'removed'`, key)
  }
}

/**
 * Removes the wallets of a chain, whose rows are deleted later, and queues those again that were followed or read. In the transaction that resets the
 * chain.
 */
export async function requeueWallets(tx: Transaction, chainId: bigint): Promise<number> {
  const rows = await tx.rows<[number, Buffer, bigint, Date]>(
    `UPDATE wallet SET status = 'removed' WHERE chain_id = $1 AND status <> 'removed' RETURNING partition, address, requested_by, asked_at`,
    [chainId],
  )
  await tx.run(
    `INSERT INTO wallet (partition, chain_id, address, requested_by, asked_at)
     SELECT v.partition, $1, v.address, v.requested_by, v.asked_at FROM unnest($2::int2[], $3::bytea[], $4::int8[], $5::timestamptz[])
       AS v (partition, address, requested_by, asked_at)`,
    [chainId, ...([0, 1, 2, 3] as const).map((place) => rows.map((row) => row[place]))],
  )
  if (rows.length > 0) await tx.rows('SELECT pg_notify($1, $2)', [walletDemandChannel, ''])
  return rows.length
}
