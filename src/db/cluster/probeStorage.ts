import pg from 'pg'
import { storageFault } from '../../util/faults/storageFault.ts'
import type { Database } from '../database.ts'
import { restated } from '../databaseError.ts'
import { runsDistributed } from './citus.ts'

/** A megabyte: smaller writes could still fit into existing files. */
const probe = `CREATE TEMPORARY TABLE storage_probe ON COMMIT DROP AS
  SELECT repeat(md5(i::text), 60) AS filler FROM generate_series(1, 500) AS i`

/**
 * Writes a little data where the database keeps its tables, on every node of a cluster, and removes it again. Rejects with PostgreSQL's error if a
 * disk is full or the database is read-only, which only a new session shows. An unreachable node shows nothing about its disk.
 */
export async function probeStorage(db: Database): Promise<void> {
  const client = await db.connect()
  try {
    await client.query(`BEGIN; ${probe}; COMMIT`)
  } finally {
    await client.end()
  }
  if (!(await runsDistributed(db))) return
  const rejected = 'SELECT result FROM run_command_on_workers($1) WHERE NOT success'
  for (const [result] of await db.rows<[string]>(rejected, [probe])) {
    const message = result.replace(/^ERROR: +/, '')
    const error = new pg.DatabaseError(message, message.length, 'error')
    error.code = 'XX000'
    if (storageFault(restated(error))) throw error
  }
}
