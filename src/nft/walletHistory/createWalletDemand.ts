import { partitionOf } from '../../sync/partition.ts'
import { rejectBurnAddress } from '../../util/burnAddresses.ts'
import { type Address, hexToBuffer } from '../../util/hex.ts'
import { shareCalls } from '../../util/shareCalls.ts'
import { raisedVersion } from '../collection/version.ts'
import type { WalletDemand } from '../demand.ts'
import { countQueued, type DemandOptions, tooMany } from '../store/createDemand.ts'

/** Channel that notifies workers of requested wallets. */
export const walletDemandChannel = 'mintmark_wallet'

/** Lock of every transaction that queues a wallet while it counts queued ones, so that concurrent ones respect the limit. */
const countingLock = 7_205_746_603

const selectWallet = `
SELECT w.status IN ('idle'), w.asked_at < now() - interval '1 hour' FROM wallet w
WHERE w.partition = $1 AND w.chain_id = $2 AND w.address = $3 AND w.status <> 'removed'`

const ofWallet = `partition = $1 AND chain_id = $2 AND address = $3 AND status <> 'removed'`

const insertWallet = `
INSERT INTO wallet AS w (partition, chain_id, address, requested_by) VALUES ($1, $2, $3, $4)
ON CONFLICT (partition, chain_id, address) WHERE status <> 'removed' DO UPDATE
SET status = 'queued', requested_by = excluded.requested_by, requested_at = excluded.requested_at, asked_at = excluded.asked_at,
  turn_at = excluded.turn_at, retry_at = NULL, ${raisedVersion('w')}
WHERE w.status = 'idle'`

export function createWalletDemand({ db, chainIds, maxQueuedPerKey, maxQueued }: DemandOptions): WalletDemand {
  /** Concurrent requests of one key share one. */
  const shared = shareCalls<void>()

  async function queue(chainId: bigint, wallet: Address, requestedBy: bigint): Promise<void> {
    const key = [partitionOf(chainId, wallet), chainId, hexToBuffer(wallet)]
    const [known] = await db.rows<[isIdle: boolean, isOld: boolean]>(selectWallet, key)
    if (known && !known[0]) {
      if (known[1]) await db.run(`UPDATE wallet SET asked_at = now() WHERE ${ofWallet}`, key)
      return
    }
    await db.transaction(async (tx) => {
      await tx.rows('SELECT pg_advisory_xact_lock($1)', [countingLock])
      const counted = [requestedBy, [...chainIds, chainId]]
      const [counts] = await tx.rows<[bigint, bigint]>(countQueued('wallet'), counted)
      const [all, own] = counts!.map(Number) as [number, number]
      if (own >= maxQueuedPerKey)
        throw tooMany(`this key already has ${own} wallets waiting to be indexed`, maxQueuedPerKey)
      if (all >= maxQueued) throw tooMany(`${all} wallets already wait to be indexed`, maxQueued)
      await tx.run(insertWallet, [...key, requestedBy])
      await tx.rows('SELECT pg_notify($1, $2)', [walletDemandChannel, `${chainId}:${wallet}`])
    })
  }

  return {
    async request(chainId, wallet, requestedBy) {
      rejectBurnAddress(wallet)
      await shared(`${chainId}:${wallet}:${requestedBy}`, () => queue(chainId, wallet, requestedBy))
    },
  }
}
