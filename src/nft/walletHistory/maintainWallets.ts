import type { Database, Transaction } from '../../db/database.ts'
import { readChain, reviseChain } from '../../sync/chainStore.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import { isFullBelow, resumeRaised, retireWallets } from './walletStore.ts'

type Held = Pick<Leases, 'held'>

/** Stops following wallets without a request in `days`, on the chains whose lease this process holds. */
export async function retireUnasked(db: Database, leases: Held, days: number): Promise<void> {
  await onChains(db, leases, { where: isUnasked, value: days }, async (tx, chainId) => {
    if ((await retireWallets(tx, chainId, days)) > 0) await reviseChain(tx, chainId)
  })
}

const isUnasked = `
  asked_at < now() - make_interval(days => $2) AND chain_id = $1 AND status IN ('live', 'syncing', 'queued', 'failed')`

/** Continues wallets that had too many transfers before `wallets.maxTransfers` was raised, on the chains whose lease this process holds. */
export async function readOnFull(db: Database, leases: Held, maxTransfers: number): Promise<void> {
  await onChains(db, leases, { where: isFullBelow, value: maxTransfers }, (tx, chainId) =>
    resumeRaised(tx, chainId, maxTransfers),
  )
}

/** Changes the chains that have a wallet which satisfies `where`, an SQL condition on chain $1 and `value` $2. */
async function onChains(
  db: Database,
  leases: Held,
  { where, value }: { where: string; value: number },
  change: (tx: Transaction, chainId: bigint) => Promise<void>,
): Promise<void> {
  for (const chainId of leases.held('chain')) {
    const [found] = await db.rows(`SELECT 1 FROM wallet WHERE ${where} LIMIT 1`, [chainId, value])
    if (!found) continue
    await db.transaction(async (tx) => {
      // Locks the chain's row first, as its follower does.
      await readChain(tx, chainId, true)
      await change(tx, chainId)
    })
  }
}
