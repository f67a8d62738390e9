import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Sql } from '../../db/database.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'

/** A server process, as it describes itself. */
export type OwnProcess = { id: string; role: string; version: string; host: string; pid: number; startedAt: Date }

/** Describes this process, starting now. */
export function describeProcess({ role, version }: Pick<OwnProcess, 'role' | 'version'>): OwnProcess {
  return { id: randomUUID(), role, version, host: hostname(), pid: process.pid, startedAt: new Date() }
}

/** A process without a heartbeat for this time is dead, in milliseconds; heartbeats come every ten seconds. */
const unresponsiveProcessMs = 35_000

/** Most processes that are read: more than run on one database. */
const mostProcesses = 1_000

const isAlive = `heartbeat_at > now() - ${unresponsiveProcessMs} * interval '1 millisecond'`

const processRow = defineRow({
  id: column.uuid('id'),
  role: column.text('role'),
  version: column.text('version'),
  host: column.text('host'),
  pid: column.int4('pid'),
  startedAt: column.timestamptz('started_at'),
  heartbeatAt: column.timestamptz('heartbeat_at'),
})

/** A process of any role that is alive or died less than 35 seconds ago. */
export type ServingProcess = RowOf<typeof processRow>

/** Processes of every role, ordered by start, the oldest first; at most 1,000. */
export async function readProcesses(sql: Sql): Promise<ServingProcess[]> {
  const rows = await sql.rows(
    `SELECT ${processRow.columns} FROM process WHERE ${isAlive} ORDER BY started_at, id LIMIT ${mostProcesses}`,
  )
  return rows.map(processRow.decode)
}

/** Writes a heartbeat of this process, and deletes dead processes. Returns the time by the database's clock. */
export async function beat(sql: Sql, { id, role, version, host, pid, startedAt }: OwnProcess): Promise<Date> {
  const [row] = await sql.rows<[Date]>(
    `INSERT INTO process (id, role, version, host, pid, started_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (id) DO UPDATE SET heartbeat_at = now() RETURNING heartbeat_at`,
    [id, role, version, host, pid, startedAt],
  )
  await sql.run(`DELETE FROM process WHERE id IN (SELECT id FROM process WHERE NOT ${isAlive} FOR UPDATE SKIP LOCKED)`)
  return row![0]
}

/** Whether the database has a row of the process, alive or not. */
export async function isProcessShown(sql: Sql, id: string): Promise<boolean> {
  return (await sql.rows('SELECT 1 FROM process WHERE id = $1', [id])).length > 0
}

export async function removeProcess(sql: Sql, id: string): Promise<void> {
  await sql.run('DELETE FROM process WHERE id = $1', [id])
}
