import { type Database, type Sql, sqlState } from './database.ts'

/**
 * What `read` gives, of statements that may each take at most `ms` milliseconds; undefined where one takes longer. They see one
 * snapshot and change nothing. `settings`: statements that begin it.
 */
export async function withinTime<T>(
  db: Database,
  ms: number,
  read: (sql: Sql) => Promise<T>,
  settings = '',
): Promise<T | undefined> {
  try {
    return await db.transaction(
      read,
      `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL statement_timeout = ${ms}; ${settings}`,
    )
  } catch (error) {
    // query_canceled: nothing but the time ends a statement here.
    if (sqlState(error) === '57014') return undefined
    throw error
  }
}
