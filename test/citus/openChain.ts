import { inject, onTestFinished } from 'vitest'
import { createTestDatabase } from '../database.ts'
import { seedLease, seedWorker } from '../seedLease.ts'
import { connectWorkers } from './inDoubt.ts'
import { workersOfPartitions } from './nodes.ts'

/** A cluster database, connections to its parts, the node of each partition, and a worker that holds the lease of a chain. */
export async function openChain(chainId: bigint) {
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const { db } = database
  const workers = await connectWorkers(database.connection.database!)
  const nodes = await workersOfPartitions(database.connection, inject('postgres').workers)
  const worker = await seedWorker(db)
  await seedLease(db, 'chain', chainId, worker)
  return { db, workers, nodes, worker }
}
