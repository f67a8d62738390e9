import type { Database, Sql } from '../../db/database.ts'
import { partitionOf } from '../../sync/partition.ts'
import { TooManyRequestsError } from '../../util/errors.ts'
import { type Address, bufferToHex, hexToBuffer } from '../../util/hex.ts'
import { shareCalls } from '../../util/shareCalls.ts'
import { raisedVersion } from '../collection/version.ts'
import type { Demand } from '../demand.ts'
import type { CollectionState } from '../query.ts'

/** Channel that notifies workers of requested collections. */
export const demandChannel = 'mintmark_demand'

/** `chainIds`: the chains with nodes in the configuration. What is queued on others waits until it is removed, and does not count. */
export type DemandOptions = {
  db: Database
  chainIds: readonly bigint[]
  maxQueuedPerKey: number
  maxQueued: number
}

/** Counts queued rows of a table: all, and those of key $1, of the chains $2. */
export const countQueued = (table: 'collection' | 'wallet') => `
SELECT count(*), count(*) FILTER (WHERE requested_by = $1) FROM ${table}
WHERE live_since IS NULL AND status IN ('queued', 'syncing', 'failed') AND chain_id = ANY($2::bigint[])`

/** Lock of every transaction that queues a collection while it counts queued ones, so that concurrent ones respect the limit. */
const countingLock = 7_205_746_602

/**
 * When a request may queue a known collection again: a minute after its contract was last checked, if it has no code, or its tokens are uncertain
 * (`none` with a reason). null: never.
 */
export function lookAgainAt(state: Pick<CollectionState, 'status' | 'reason' | 'checkedAt'>): number | null {
  const { status, reason, checkedAt } = state
  const isOpen = status === 'nocode' || (status === 'none' && reason !== null)
  return isOpen && checkedAt !== null ? checkedAt + 60_000 : null
}

/**
 * The same as SQL, including contracts that are only known: whether a request at the time `at` queues collection `c` again. Without time arithmetic,
 * which depends on a time zone.
 */
const isDue = (
  at: string,
) => `(c.status = 'known' OR coalesce((c.status = 'nocode' OR (c.status = 'none' AND c.reason IS NOT NULL))
  AND ${at} - c.checked_at >= interval '60 seconds', false))`

/** A collection that may have to be queued; `id` if it is known. */
type Wanted = { address: Address; partition: number; id: bigint | null }

const selectKnown = `
SELECT c.address, c.id, ${isDue('now()')} FROM unnest($2::int2[], $3::bytea[]) AS a (partition, address)
JOIN collection c ON c.partition = a.partition AND c.chain_id = $1 AND c.address = a.address
WHERE c.partition = ANY($2::int2[])`

const insertWanted = `
INSERT INTO collection AS c (partition, chain_id, address, requested_by, requested_at, turn_at)
SELECT a.partition, $1, a.address, $4, now(), now() FROM unnest($2::int2[], $3::bytea[]) AS a (partition, address)
ON CONFLICT (partition, chain_id, address) DO UPDATE
SET status = 'queued', requested_by = excluded.requested_by, requested_at = excluded.requested_at, turn_at = excluded.turn_at,
  ${['checked_at', 'retry_at'].map((name) => `${name} = CASE WHEN c.status <> 'known' THEN c.${name} END`).join(', ')},
  attempts = CASE WHEN c.status = 'known' THEN 0 ELSE c.attempts END,
  ${raisedVersion('c')}
WHERE ${isDue('excluded.requested_at')}`

export function createDemand({ db, chainIds, maxQueuedPerKey, maxQueued }: DemandOptions): Demand {
  /** A thousand concurrent requests of one key for the same collections share one. */
  const shared = shareCalls<void>()

  async function readWanted(chainId: bigint, addresses: readonly Address[]): Promise<Wanted[]> {
    const partitions = addresses.map((address) => partitionOf(chainId, address))
    const values = [chainId, partitions, addresses.map(hexToBuffer)]
    const rows = await db.rows<[address: Buffer, id: bigint, due: boolean]>(selectKnown, values)
    const known = new Map(rows.map(([address, id, isDue]) => [bufferToHex(address), { id, isDue }]))
    return addresses.flatMap((address, place) => {
      const found = known.get(address)
      return found && !found.isDue ? [] : [{ address, partition: partitions[place]!, id: found?.id ?? null }]
    })
  }

  /** Throws after those within the limit are queued. */
  async function queue(chainId: bigint, addresses: readonly Address[], requestedBy: bigint): Promise<void> {
    const wanted = await readWanted(chainId, addresses)
    if (wanted.length === 0) return
    const rejection = await db.transaction(async (tx) => {
      await tx.rows('SELECT pg_advisory_xact_lock($1)', [countingLock])
      const counted = [requestedBy, [...chainIds, chainId]]
      const [counts] = await tx.rows<[bigint, bigint]>(countQueued('collection'), counted)
      const [all, own] = (counts ?? [0n, 0n]).map(Number) as [number, number]
      const capacity = Math.max(0, Math.min(maxQueuedPerKey - own, maxQueued - all))
      const queued = wanted.slice(0, capacity)
      if (queued.length > 0) await insert(tx, chainId, queued, requestedBy)
      if (wanted.length <= capacity) return undefined
      return own + capacity >= maxQueuedPerKey
        ? tooMany(`this key already has ${own + queued.length} collections waiting to be indexed`, maxQueuedPerKey)
        : tooMany(`${all + queued.length} collections already wait to be indexed`, maxQueued)
    })
    if (rejection) throw rejection
  }

  async function insert(tx: Sql, chainId: bigint, queued: readonly Wanted[], requestedBy: bigint): Promise<void> {
    const sorted = queued.toSorted(inLockOrder)
    const partitions = sorted.map(({ partition }) => partition)
    const addresses = sorted.map(({ address }) => hexToBuffer(address))
    await tx.run(insertWanted, [chainId, partitions, addresses, requestedBy])
    const names = queued.map(({ address }) => `${chainId}:${address}`)
    await tx.rows('SELECT pg_notify($1, name) FROM unnest($2::text[]) name', [demandChannel, names])
  }

  return {
    request(chainId, addresses, requestedBy) {
      const requested = [...new Set(addresses)]
      return shared(`${chainId} ${requestedBy} ${requested}`, () => queue(chainId, requested, requestedBy))
    },
  }
}

/** The lock order of collections (`collection/lock.ts`); nobody else locks unknown ones. */
function inLockOrder(a: Wanted, b: Wanted): number {
  if (a.partition !== b.partition) return a.partition - b.partition
  return Number((a.id ?? 0n) - (b.id ?? 0n))
}

/** `what`: already queued; at most `allowed` may be. */
export function tooMany(what: string, allowed: number): TooManyRequestsError {
  return new TooManyRequestsError(`${what}; at most ${allowed} may wait: retry when some are done`, {
    retryAfterSeconds: 30,
  })
}
