import type { Database, Transaction } from '../src/db/database.ts'

/** A database whose transactions, counted from 1 in the order in which they begin, run on what `watch` returns. */
export function watchTransactions(db: Database, watch: (tx: Transaction, place: number) => Transaction): Database {
  let begun = 0
  return {
    ...db,
    transaction(work, settings) {
      const place = ++begun
      return db.transaction((tx) => work(watch(tx, place)), settings)
    },
  }
}
