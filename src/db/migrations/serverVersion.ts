import { MintmarkError } from '../../util/errors.ts'
import type { Sql } from '../database.ts'

/** PostgreSQL is older than what Mintmark's statements need. */
export class ServerVersionError extends MintmarkError {
  readonly code = 'SERVER_VERSION'
}

/** The oldest version that is supported. The tests run on 18, and on request on any given server. */
const oldestMajor = 15

/** Throws `ServerVersionError` where the server is older than the oldest version that works. */
export async function checkServerVersion(db: Sql, oldest: number = oldestMajor): Promise<void> {
  const [[number, text] = ['0', '']] = await db.rows<[string, string]>(
    `SELECT current_setting('server_version_num'), current_setting('server_version')`,
  )
  if (Number(number) < oldest * 10_000)
    throw new ServerVersionError(
      `the database is PostgreSQL ${text}, and Mintmark needs ${oldest} or newer: upgrade it, or omit databaseUrl to use the one that is built in`,
    )
}
