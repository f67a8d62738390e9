import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Sql } from '../../db/database.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'

/** A process that serves, as it says of itself. */
export type OwnProcess = { id: string; role: string; version: string; host: string; pid: number; startedAt: Date }

/** The process that calls it, as one that starts now. */
export function describeProcess({ role, version }: Pick<OwnProcess, 'role' | 'version'>): OwnProcess {
  return { id: randomUUID(), role, version, host: hostname(), pid: process.pid, startedAt: new Date() }
}

/** One that was not heard of for so long is gone, in milliseconds. It is heard of every ten seconds. */
const silentProcessMs = 35_000

/** More than anybody runs on one database. */
const mostProcesses = 1_000

const isAlive = `heartbeat_at > now() - ${silentProcessMs} * interval '1 millisecond'`

const processRow = defineRow({
  id: column.uuid('id'),
  role: column.text('role'),
  version: column.text('version'),
  host: column.text('host'),
  pid: column.int4('pid'),
  startedAt: column.timestamptz('started_at'),
  heartbeatAt: column.timestamptz('heartbeat_at'),
})

/** A process of any role that lives, or that died a few seconds ago. */
export type ServingProcess = RowOf<typeof processRow>

/** Processes of every role, the one that runs for longest first; at most 1,000. */
export async function readProcesses(sql: Sql): Promise<ServingProcess[]> {
  const rows = await sql.rows(
    `SELECT ${processRow.columns} FROM process WHERE ${isAlive} ORDER BY started_at, id LIMIT ${mostProcesses}`,
  )
  return rows.map(processRow.decode)
}

/** Says that this process lives, and removes those that do not any more. Answers the time by the database's clock. */
export async function beat(sql: Sql, { id, role, version, host, pid, startedAt }: OwnProcess): Promise<Date> {
  const [row] = await sql.rows<[Date]>(
    `INSERT INTO process (id, role, version, host, pid, started_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (id) DO UPDATE SET heartbeat_at = now() RETURNING heartbeat_at`,
    [id, role, version, host, pid, startedAt],
  )
  await sql.run(`DELETE FROM process WHERE id IN (SELECT id FROM process WHERE NOT ${isAlive} FOR UPDATE SKIP LOCKED)`)
  return row![0]
}

export async function removeProcess(sql: Sql, id: string): Promise<void> {
  await sql.run('DELETE FROM process WHERE id = $1', [id])
}
