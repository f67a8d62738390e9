import type { Database } from '../../db/database.ts'
import { readChain, reviseChain } from '../../sync/chainStore.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import { retireWallets } from './walletStore.ts'

/** Stops following wallets without a request in `days`, on the chains whose lease this process holds. */
export async function retireUnasked(db: Database, leases: Pick<Leases, 'held'>, days: number): Promise<void> {
  for (const chainId of leases.held('chain')) {
    const [found] = await db.rows(selectUnasked, [chainId, days])
    if (!found) continue
    await db.transaction(async (tx) => {
      // Locks the chain's row first, as its follower does.
      await readChain(tx, chainId, true)
      if ((await retireWallets(tx, chainId, days)) > 0) await reviseChain(tx, chainId)
    })
  }
}

const selectUnasked = `
SELECT 1 FROM wallet WHERE asked_at < now() - make_interval(days => $2) AND chain_id = $1
  AND status IN ('live', 'syncing', 'queued', 'failed') LIMIT 1`
