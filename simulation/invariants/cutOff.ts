import type { Journal } from '../journal.ts'
import type { Attempt } from '../outside/receivers.ts'

/** How long what became of an attempt may take to be stored, in milliseconds; on a busy machine. */
const storingMs = 3_000
/** How long after the machine goes on requests are noted that came before. */
const noticeMs = 500

/**
 * Whether a process that delivers, or the server of the database, was killed or frozen while an attempt was under way or before what became
 * of it could be stored. Such an attempt may be made again, and may count otherwise than its receiver saw it; no other one may.
 */
export function wasCutOff(journal: Journal, { start, end }: Pick<Attempt, 'start' | 'end'>): boolean {
  // What came while the machine stalled is noted when it goes on.
  const from = Math.min(start, journal.absence('machine', start - noticeMs, start)?.from ?? start)
  let storedBy = (Number.isFinite(end) ? end : journal.now()) + storingMs
  // Nothing is stored while the database is unreachable, or the machine is stalled.
  for (const what of ['database', 'machine'] as const)
    storedBy = Math.max(storedBy, (journal.absence(what, from, storedBy)?.to ?? 0) + storingMs)
  return journal.wasUnreachable('deliver', from, storedBy)
}
