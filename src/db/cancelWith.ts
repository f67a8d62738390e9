import type { Sql, Transaction } from './database.ts'

/**
 * Runs `work` in a transaction and cancels its current statement when the signal aborts. Otherwise the process would wait for a sort of millions of
 * rows or for a lock. A second connection of `db` sends the cancellation.
 */
export async function cancelWith<T>(
  { db, tx, signal }: { db: Sql; tx: Transaction; signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const [row] = await tx.fresh.rows<[number]>('SELECT pg_backend_pid()')
  let cancelling: Promise<unknown> | undefined
  const cancel = () => {
    cancelling = db.run('SELECT pg_cancel_backend($1::integer)', row).catch(() => undefined)
  }
  signal.throwIfAborted()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await work()
  } finally {
    signal.removeEventListener('abort', cancel)
    // A later one would cancel the next statement of the connection.
    await cancelling
  }
}
