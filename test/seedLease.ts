import type { Database, Sql } from '../src/db/database.ts'
import type { LeaseKind } from '../src/sync/leases/shareLeases.ts'
import type { Address } from '../src/util/hex.ts'
import { seedCollection } from './seedCollection.ts'

/** Registers a worker as a process does; returns its id. */
export async function seedWorker(db: Sql): Promise<number> {
  const [row] = await db.rows<[number]>(`INSERT INTO worker (host, pid) VALUES ('test', 1) RETURNING id`)
  return row![0]
}

/** Assigns a lease to a worker, even if another one holds it. `key`: a partition, or the id of a chain or network. */
export async function seedLease(db: Sql, kind: LeaseKind, key: number | bigint, worker: number): Promise<void> {
  await db.run(
    `INSERT INTO lease (kind, key, worker_id) VALUES ($1, $2, $3)
     ON CONFLICT (kind, key) DO UPDATE SET worker_id = excluded.worker_id`,
    [kind, key, worker],
  )
}

/** Assigns all partitions to a worker. */
export async function seedPartitionLeases(db: Sql, worker: number): Promise<void> {
  for (let partition = 0; partition < 256; partition++) await seedLease(db, 'partition', partition, worker)
}

export type LeasedCollection = { address: Address; partition: number; id: bigint }

let addresses = 0

/** Seeds a live collection of chain 1 with these token ids, at a new address. The worker holds the lease of its partition. */
export async function seedLeasedCollection(
  db: Database,
  { tokens, worker }: { tokens: readonly bigint[]; worker: number },
): Promise<LeasedCollection> {
  const address: Address = `0x${String(++addresses).padStart(40, '0')}`
  const collection = await seedCollection(db, { address, tokens })
  await seedLease(db, 'partition', collection.partition, worker)
  return { address, ...collection }
}
