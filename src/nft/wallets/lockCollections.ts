import type { Transaction } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import type { Within } from '../../db/stages/stages.ts'
import { heldBy } from '../../sync/leases/lease.ts'
import { type Standard, type Standards, standardsOf } from '../transfers/decodeTransfers.ts'
import { indexingLock } from './removeFromWallets.ts'

export type Key = { partition: number; collectionId: bigint }
export type Locked = Key & { standards: Standards | null; address: Buffer }

export const collectionKey = defineLists<Key>({
  partition: list.int2((key) => key.partition),
  collection_id: list.int8((key) => key.collectionId),
})

/** Locks those of the collections that nobody else works on, that exist, and whose partition worker `worker` holds. Returns them by id. */
export async function lockCollections(
  tx: Transaction,
  { keys, worker, of }: { keys: unknown[][]; worker: number; of: Within },
): Promise<Map<bigint, Locked>> {
  const locked = await tx.fresh.rows<[number, bigint]>(lockFree, [...keys, worker])
  // Looked at again, now that they are locked: a removal begins with this lock too, once its collection is gone.
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
