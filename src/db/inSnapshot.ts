import type { Database, Transaction } from './database.ts'

/** One view of the database for several reads: what is committed meanwhile is not in it. */
export function inSnapshot<T>(db: Database, read: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.script('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return read(tx)
  })
}
