import { MintmarkError } from '../../util/errors.ts'
import type { Sql } from '../database.ts'

/** PostgreSQL is older than Mintmark's statements require. */
export class ServerVersionError extends MintmarkError {
  readonly code = 'SERVER_VERSION'
}

/** The oldest supported version. The tests run on 18, and optionally on any given server. */
const oldestMajor = 15

/** Throws `ServerVersionError` if the server is older than the oldest supported version. */
export async function checkServerVersion(db: Sql, oldest: number = oldestMajor): Promise<void> {
  const [[number, text] = ['0', '']] = await db.rows<[string, string]>(
    `SELECT current_setting('server_version_num'), current_setting('server_version')`,
  )
  if (Number(number) < oldest * 10_000)
    throw new ServerVersionError(
      `the database is PostgreSQL ${text}, and Mintmark needs ${oldest} or newer: upgrade it, or omit databaseUrl to use the one that is built in`,
    )
}
