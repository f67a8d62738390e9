import type { Sql, Transaction } from './database.ts'

/**
 * Does `work` in a transaction whose statement in progress is cancelled as soon as the signal aborts: the process would wait for a sort of
 * millions of rows or for a lock. `db` lends another connection for that.
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
    // One that came later would cancel the next statement of the connection.
    await cancelling
  }
}
