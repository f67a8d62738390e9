import type { Database, Sql, Transaction } from './database.ts'
import { isCancelled } from './databaseError.ts'

const snapshot = 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY'

/** The result of `read`, whose statements see one snapshot and cannot change anything. */
export function inSnapshot<T>(db: Database, read: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(read, snapshot)
}

/**
 * Runs `read` in one read-only snapshot; undefined if one of its statements takes longer than `ms` milliseconds. `settings`: statements at the start
 * of the transaction.
 */
export async function withinTime<T>(
  db: Database,
  ms: number,
  read: (sql: Sql) => Promise<T>,
  settings = '',
): Promise<T | undefined> {
  try {
    return await db.transaction(read, `${snapshot}; SET LOCAL statement_timeout = ${ms}; ${settings}`)
  } catch (error) {
    // query_canceled: only the time limit cancels a statement here.
    if (isCancelled(error)) return undefined
    throw error
  }
}
