import { expect, onTestFinished } from 'vitest'
import { setEverywhere } from '../../src/db/cluster/citus.ts'
import type { Transaction } from '../../src/db/database.ts'
import { createTestDatabase } from '../database.ts'
import { seedCollection } from '../seedCollection.ts'
import { testOnTwoNodes } from './onTwoNodes.ts'

testOnTwoNodes(
  'behavior: a transaction waits for a lock on a node up to its lock timeout, and without limit after a reset (skipped without a cluster of two workers)',
  async () => {
    const { db, drop } = await createTestDatabase()
    onTestFinished(drop)
    const { partition, id } = await seedCollection(db, { address: `0x${'ab'.repeat(20)}` })
    const name = (tx: Transaction, name: string) =>
      tx.run('UPDATE collection SET name = $3 WHERE partition = $1 AND id = $2', [partition, id, name])
    const set = (tx: Transaction, value: string) => setEverywhere(db, tx, `SET LOCAL lock_timeout = ${value}`)
    const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holder = db.transaction(async (tx) => {
      await name(tx, 'held')
      locked.resolve()
      await end.promise
    })
    await locked.promise
    const briefly = db.transaction(async (tx) => {
      await set(tx, `'200ms'`)
      await name(tx, 'briefly')
    })
    await expect(briefly).rejects.toMatchObject({ code: '55P03' })
    const patiently = db.transaction(async (tx) => {
      await set(tx, `'200ms'`)
      // From here on, the node is part of the transaction.
      await tx.rows('SELECT 1 FROM token WHERE partition = $1 AND collection_id = $2', [partition, id])
      await set(tx, 'DEFAULT')
      await name(tx, 'patiently')
    })
    await expect.poll(async () => (await db.rows(waiting)).length).toBe(1)
    // Longer than the first timeout.
    await new Promise((done) => setTimeout(done, 500))
    end.resolve()
    await Promise.all([holder, patiently])
    expect(await db.rows('SELECT name FROM collection')).toEqual([['patiently']])
  },
)

const waiting = `SELECT 1 FROM citus_stat_activity WHERE wait_event_type = 'Lock' AND is_worker_query`
