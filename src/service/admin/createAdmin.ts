import type { Admin } from '../../api/admin/admin.ts'
import type { Database } from '../../db/database.ts'
import { createAdminKeys } from './createAdminKeys.ts'

/** What admin routes do, from what the commands use. `db`: its statements end in time, as a client waits for them. */
export function createAdmin({ db }: { db: Database }): Admin {
  return { keys: createAdminKeys({ db }) }
}
