import type { Database } from '../../db/database.ts'
import { readChain } from '../../sync/chainStore.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import { isFullBelow, resumeRaised } from './walletStore.ts'

/** Continues wallets that had too many transfers before `wallets.maxTransfers` was raised, on the chains whose lease this process holds. */
export async function readOnFull(db: Database, leases: Pick<Leases, 'held'>, maxTransfers: number): Promise<void> {
  for (const chainId of leases.held('chain')) {
    const [found] = await db.rows(`SELECT 1 FROM wallet WHERE ${isFullBelow} LIMIT 1`, [chainId, maxTransfers])
    if (!found) continue
    await db.transaction(async (tx) => {
      // Locks the chain's row first, as its follower does.
      await readChain(tx, chainId, true)
      await resumeRaised(tx, chainId, maxTransfers)
    })
  }
}
