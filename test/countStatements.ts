import type { Database } from '../src/db/database.ts'

/** A database that counts its statements and transactions. */
export function countStatements(db: Database): { counted: Database; statements(): number } {
  let statements = 0
  return {
    counted: {
      ...db,
      rows: (...requested) => {
        statements++
        return db.rows(...requested)
      },
      run: (...requested) => {
        statements++
        return db.run(...requested)
      },
      transaction: (...requested) => {
        statements++
        return db.transaction(...requested)
      },
    },
    statements: () => statements,
  }
}
