import { createDatabase, type Database, type Sql } from '../../db/database.ts'
import { isConnectionError } from '../../db/databaseError.ts'
import { silentLog } from '../../util/log.ts'
import { joinDatabase } from '../context/openDatabase.ts'

export type ServerDatabase = Sql & {
  /** Whether a process runs the database at this moment. Holds no connection afterwards. */
  runs(): Promise<boolean>
  close(): Promise<void>
}

/**
 * The embedded database of a data folder for as long as a server runs it, also of one that starts later or again: `mintmark listen`
 * outlives servers. It is never started here, as its data folder would be in use when a server wants to start. Without a server
 * statements fail as those of a database that is unreachable do (`isConnectionError`).
 */
export function createServerDatabase(dataDir: string): ServerDatabase {
  let joined: Promise<{ db: Database; close(): Promise<void> }> | undefined

  async function join() {
    const { connection, close } = await joinDatabase(dataDir)
    const db = createDatabase({ connection, poolSize: 4, log: silentLog })
    return {
      db,
      async close() {
        await db.close()
        close()
      },
    }
  }

  async function leave(): Promise<void> {
    const left = joined
    joined = undefined
    // Where it could not be joined there is nothing to leave.
    await left?.then(({ close }) => close()).catch(() => undefined)
  }

  async function ask<T>(question: (db: Database) => Promise<T>): Promise<T> {
    try {
      joined ??= join()
      return await question((await joined).db)
    } catch (error) {
      // The next server may have made the folder again.
      if (isConnectionError(error)) await leave()
      throw error
    }
  }

  return {
    rows: (text, values) => ask((db) => db.rows(text, values)),
    run: (text, values) => ask((db) => db.run(text, values)),
    async runs() {
      try {
        await ask((db) => db.rows('SELECT 1'))
        return true
      } catch (error) {
        if (!isConnectionError(error)) throw error
        return false
      } finally {
        await leave()
      }
    },
    close: leave,
  }
}
