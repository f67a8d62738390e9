import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../database.ts'
import { isLockTimeout, sqlState } from '../databaseError.ts'
import { runsDistributed, setEverywhere } from './citus.ts'

/**
 * The tables that one transaction writes on several nodes: the cursor of a chain (with each block and each change of streams) and the queue of
 * wallets.
 */
const writtenTogether = 'chain, wallet_due'

/** Lock timeout in milliseconds, as others wait behind this lock. */
const lockMs = 2_000

/** Attempts to get the lock, and the pause between them, in milliseconds. */
const tries = 10
const pauseMs = 500

/** A statement that involves every node. */
const ofAllNodes = 'SELECT count(*) FROM stream'

/**
 * Opens the snapshot of a REPEATABLE READ transaction that has read nothing yet, on all nodes of a cluster at one moment. A node opens its snapshot
 * with the first statement, and nodes commit one after another, so writers of several nodes wait meanwhile. A single server does not need this.
 * `read` runs a statement in the transaction. Throws the lock error if the lock is not available.
 */
export async function openSnapshots(db: Database, read: (statement: string) => Promise<unknown>): Promise<void> {
  if (!(await runsDistributed(db))) return
  for (let attempt = 1; ; attempt++)
    try {
      await db.transaction(async (tx) => {
        await setEverywhere(db, tx, `SET LOCAL lock_timeout = ${lockMs}`)
        await tx.script(`LOCK TABLE ${writtenTogether} IN EXCLUSIVE MODE`)
        await read(ofAllNodes)
      })
      return
    } catch (error) {
      if (attempt >= tries || !(isLockTimeout(error) || sqlState(error) === '40P01')) throw error
      await delay(pauseMs)
    }
}
