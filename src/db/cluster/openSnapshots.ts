import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../database.ts'
import { isLockTimeout, sqlState } from '../databaseError.ts'
import { runsDistributed, setEverywhere } from './citus.ts'

/** The tables that one transaction writes on several nodes: the cursor of a chain, with each block and each change of streams, and the queue of wallets. */
const writtenTogether = 'chain, wallet_due'

/** How long the tables are waited for, in milliseconds, as others wait behind. */
const lockMs = 2_000

/** How often they are waited for, and the pause before the next time, in milliseconds. */
const tries = 10
const pauseMs = 500

/** A statement that every node takes part in. */
const ofAllNodes = 'SELECT count(*) FROM stream'

/**
 * Opens the snapshot of a transaction with REPEATABLE READ, which has read nothing yet, for all nodes of a cluster at one moment. A node opens its
 * own when the first statement reaches it, and the nodes commit one after another: so what writes on several of them waits meanwhile. One
 * server needs nothing of this. `read` runs a statement in the transaction. Throws what a lock that is not given throws.
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
