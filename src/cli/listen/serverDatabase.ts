import { createDatabase, type Database, type Sql } from '../../db/database.ts'
import { isConnectionError } from '../../db/databaseError.ts'
import { noopLog } from '../../util/log.ts'
import { joinDatabase } from '../context/openDatabase.ts'

export type ServerDatabase = Sql & {
  /** Whether a process currently runs the database. Leaves no connection open. */
  runs(): Promise<boolean>
  close(): Promise<void>
}

/**
 * The embedded database of a data folder while a server runs it, also one that starts later or restarts. It is never
 * started here, as that would block a server from starting. Without a server, statements fail as with an unreachable
 * database (`isConnectionError`).
 */
export function createServerDatabase(dataDir: string): ServerDatabase {
  let joined: Promise<{ db: Database; close(): Promise<void> }> | undefined

  async function join() {
    const { connection, close } = await joinDatabase(dataDir)
    const db = createDatabase({ connection, poolSize: 4, log: noopLog })
    return {
      db,
      async close() {
        await db.close()
        close()
      },
    }
  }

  async function disconnect(): Promise<void> {
    const former = joined
    joined = undefined
    // If joining failed, there is nothing to close.
    await former?.then(({ close }) => close()).catch(() => undefined)
  }

  async function query<T>(question: (db: Database) => Promise<T>): Promise<T> {
    try {
      joined ??= join()
      return await question((await joined).db)
    } catch (error) {
      // The next server may have recreated the folder.
      if (isConnectionError(error)) await disconnect()
      throw error
    }
  }

  return {
    rows: (text, values) => query((db) => db.rows(text, values)),
    run: (text, values) => query((db) => db.run(text, values)),
    async runs() {
      try {
        await query((db) => db.rows('SELECT 1'))
        return true
      } catch (error) {
        if (!isConnectionError(error)) throw error
        return false
      } finally {
        await disconnect()
      }
    },
    close: disconnect,
  }
}
