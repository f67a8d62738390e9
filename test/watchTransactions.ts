import type { Database, Transaction } from '../src/db/database.ts'

/** A database whose transactions run on what `watch` returns. `place` counts them from 1 in the order in which they begin. */
export function watchTransactions(db: Database, watch: (tx: Transaction, place: number) => Transaction): Database {
  let started = 0
  return {
    ...db,
    transaction(work, settings) {
      const place = ++started
      return db.transaction((tx) => work(watch(tx, place)), settings)
    },
  }
}
