import { type Database, joinByKeys, type Transaction } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import { onlyPartition, type Within, within } from '../../db/staging/stagingTables.ts'
import { heldBy } from '../../sync/leases/lease.ts'
import { type Standard, type Standards, standardsOf } from '../transfers/decodeTransfers.ts'
import { indexingLock } from './removeFromWallets.ts'

export type Key = { partition: number; collectionId: bigint }
export type Locked = Key & { standards: Standards | null; address: Buffer }

export const collectionKey = defineLists<Key>({
  partition: list.int2((key) => key.partition),
  collection_id: list.int8((key) => key.collectionId),
})

/** For transactions that write wallets. A process that freezes within one does not block the collections for others. */
const settings = `${joinByKeys}; SET LOCAL idle_in_transaction_session_timeout = '20s'`

/**
 * Runs `work` in a transaction, on rows of existing collections that nobody else works on, and whose partition worker `worker` holds. Returns these
 * rows.
 */
export function processLocked<T extends Key>(
  db: Database,
  updates: readonly T[],
  worker: number,
  work: (tx: Transaction, own: readonly T[], locked: ReadonlyMap<bigint, Locked>) => Promise<void>,
): Promise<T[]> {
  const keys = collectionKey.lists([...new Map(updates.map((row) => [row.collectionId, row])).values()])
  const of = within(onlyPartition(updates))
  return db.transaction(async (tx) => {
    const locked = await lockCollections(tx, { keys, worker, of })
    const own = updates.filter(({ collectionId }) => locked.has(collectionId))
    if (own.length > 0) await work(tx, own, locked)
    return own
  }, settings)
}

/**
 * Changes queue rows by a statement, after the commit of their effects: the queue defines the progress of the tables, and on a cluster other nodes
 * have the wallet rows. Returns the number of changed rows.
 */
export function changeQueue(db: Database, statement: string, values: unknown[]): Promise<number> {
  return db.transaction((tx) => tx.fresh.run(statement, values), settings)
}

/** Locks existing collections that nobody else works on, and whose partition worker `worker` holds. Returns them by id. */
async function lockCollections(
  tx: Transaction,
  { keys, worker, of }: { keys: unknown[]; worker: number; of: Within },
): Promise<Map<bigint, Locked>> {
  const locked = await tx.fresh.rows<[number, bigint]>(lockFree, [...keys, worker])
  // Checked again after locking: a removal also begins with this lock, after its collection was removed.
  const ours = collectionKey.lists(locked.map(([partition, collectionId]) => ({ partition, collectionId })))
  const rows = await tx.fresh.rows<[number, bigint, Standard | null, boolean, Buffer]>(selectExisting(of), ours)
  return new Map(
    rows.map(([partition, collectionId, standard, mixed, address]) => [
      collectionId,
      { partition, collectionId, standards: standardsOf({ standard, mixed }), address },
    ]),
  )
}

const lockFree = `
SELECT k.partition, k.collection_id FROM ${collectionKey.unnest(1, 'k')}
WHERE ${heldBy('partition', 'k.partition', '$3')} AND pg_try_advisory_xact_lock(${indexingLock('k.collection_id')})`

const selectExisting = (of: Within) => `
SELECT c.partition, c.id, c.standard, c.mixed, c.address FROM ${collectionKey.unnest(1, 'k')} JOIN collection c ON c.partition = k.partition AND c.id = k.collection_id${of('c')}`
