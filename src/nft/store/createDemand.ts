import type { Database } from '../../db/database.ts'
import { TooManyRequestsError } from '../../errors.ts'
import { partitionOf } from '../../sync/partition.ts'
import { type Address, hexToBuffer } from '../../util/hex.ts'
import { raisedVersion } from '../collection/version.ts'
import type { Demand } from '../demand.ts'

/** The channel on which workers hear that a collection was asked for. */
export const demandChannel = 'mintmark_demand'

export type DemandOptions = { db: Database; maxQueuedPerKey: number; maxQueued: number }

/** Each transaction that queues a collection holds this lock while it counts those that are queued, so that two at once pass no bound. */
const countingLock = 7_205_746_602

/**
 * SQL for when a request queues a known collection `c` again: a minute after its contract was last looked at, where it is an address
 * without code, or a contract of which nothing tells yet whether it has tokens (`none` with a reason). Null: no request does.
 */
export const lookAgainAt = `CASE WHEN c.status = 'nocode' OR (c.status = 'none' AND c.reason IS NOT NULL)
  THEN c.checked_at + interval '60 seconds' END`

const isDue = `coalesce(${lookAgainAt} <= now(), false)`

export function createDemand({ db, maxQueuedPerKey, maxQueued }: DemandOptions): Demand {
  /** Requests under way, by collection and key: a thousand at once share one. */
  const underWay = new Map<string, Promise<void>>()

  async function insert(chainId: bigint, address: Address, requestedBy: bigint): Promise<void> {
    const partition = partitionOf(chainId, address)
    const key = [partition, chainId, hexToBuffer(address)]
    const known = await db.rows<[string, boolean]>(
      `SELECT c.status, ${isDue} FROM collection c WHERE c.partition = $1 AND c.chain_id = $2 AND c.address = $3`,
      key,
    )
    if (known[0] && !known[0][1]) return
    await db.transaction(async (tx) => {
      await tx.rows('SELECT pg_advisory_xact_lock($1)', [countingLock])
      const [counts] = await tx.rows<[bigint, bigint]>(
        `SELECT count(*), count(*) FILTER (WHERE requested_by = $1) FROM collection WHERE live_since IS NULL AND status IN ('queued', 'syncing', 'failed')`,
        [requestedBy],
      )
      const [all, own] = counts ?? [0n, 0n]
      if (own >= BigInt(maxQueuedPerKey))
        throw tooMany(`this key already has ${own} collections waiting to be indexed`, maxQueuedPerKey)
      if (all >= BigInt(maxQueued)) throw tooMany(`${all} collections already wait to be indexed`, maxQueued)
      await tx.run(
        `INSERT INTO collection AS c (partition, chain_id, address, requested_by) VALUES ($1, $2, $3, $4)
         ON CONFLICT (partition, chain_id, address) DO UPDATE
         SET status = 'queued', requested_by = excluded.requested_by, requested_at = now(), turn_at = now(), ${raisedVersion('c')}
         WHERE ${isDue}`,
        [...key, requestedBy],
      )
      await tx.rows('SELECT pg_notify($1, $2)', [demandChannel, `${chainId}:${address}`])
    })
  }

  return {
    request(chainId, address, requestedBy) {
      // By key too: where one key has reached its bound, another may have not.
      const id = `${chainId}:${address}:${requestedBy}`
      const existing = underWay.get(id)
      if (existing) return existing
      const request = insert(chainId, address, requestedBy).finally(() => underWay.delete(id))
      underWay.set(id, request)
      return request
    },
  }
}

function tooMany(what: string, allowed: number): TooManyRequestsError {
  return new TooManyRequestsError(`${what}; at most ${allowed} may wait: ask again when some are done`, {
    retryAfterSeconds: 30,
  })
}
