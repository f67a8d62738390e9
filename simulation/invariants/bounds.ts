import { residentMegabytes } from '../processes/worldProcess.ts'
import type { World } from '../world.ts'

/** Allowed memory of one process in megabytes. A process of a world usually takes about 200. */
const mostMegabytes = 600
/** Connections of a process outside of its pool: for listening, leases and pages. */
const besidePool = 16

/** The highest values so far, by process name. */
export type Peaks = Map<string, number>

/** Invariant 6: memory and connections stay bounded. */
export async function checkBounds(
  { processes, database, journal }: World,
  peaks: Peaks,
  megabytesAllowed = mostMegabytes,
): Promise<void> {
  for (const { name, pid } of processes) {
    const megabytes = residentMegabytes(pid() ?? 0) ?? 0
    peaks.set(name, Math.max(peaks.get(name) ?? 0, megabytes))
    if (megabytes > megabytesAllowed) journal.fault('6 bounds', `${name} holds ${Math.round(megabytes)} MB`)
  }
  const most = processes.length * (8 + besidePool)
  const rows = await database.rowsUnlessUnreachable<[number]>(
    `SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend'`,
  )
  const open = rows?.[0]?.[0] ?? 0
  peaks.set('connections', Math.max(peaks.get('connections') ?? 0, open))
  if (open > most) journal.fault('6 bounds', `${open} connections are open, of ${processes.length} processes`)
}
