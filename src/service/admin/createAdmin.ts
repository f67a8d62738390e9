import type { Admin } from '../../api/admin/admin.ts'
import type { Database } from '../../db/database.ts'
import { createAdminKeys } from './createAdminKeys.ts'
import { createStreamTrials, type StreamTrialsOptions } from './createStreamTrials.ts'

export type AdminOptions = {
  /** Its statements end in time, as a client waits for them. */
  db: Database
  streams: Omit<StreamTrialsOptions, 'db'>
}

/** What admin routes do, from what the commands use. */
export function createAdmin({ db, streams }: AdminOptions): Admin {
  return { keys: createAdminKeys({ db }), streams: createStreamTrials({ db, ...streams }) }
}
