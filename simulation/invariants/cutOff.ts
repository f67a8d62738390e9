import type { Journal } from '../journal.ts'
import type { Attempt } from '../outside/receivers.ts'

/** The longest time until the outcome of an attempt is stored, in milliseconds, on a busy machine. */
const storingMs = 3_000
/** After a stall of the machine, the receiver notes earlier requests within this many milliseconds. */
export const detectionMs = 500

/**
 * Whether a sending process or the database server was killed or frozen during an attempt or before its outcome was stored. Only such an
 * attempt may be repeated, and only its stored outcome may differ from the receiver's.
 */
export function wasCutOff(journal: Journal, { start, end }: Pick<Attempt, 'start' | 'end'>): boolean {
  // The receiver notes requests of a stall of the machine only after it.
  const from = Math.min(start, journal.absence('machine', start - detectionMs, start)?.from ?? start)
  let storedBy = (Number.isFinite(end) ? end : journal.now()) + storingMs
  // Nothing is stored while the database is unreachable or the machine is stalled.
  for (const what of ['database', 'machine'] as const)
    storedBy = Math.max(storedBy, (journal.absence(what, from, storedBy)?.to ?? 0) + storingMs)
  return journal.wasUnreachable('deliver', from, storedBy)
}
