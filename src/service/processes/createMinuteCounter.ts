import { type RateKind, rateKinds, shownMinutes } from '../../api/admin/overview.ts'
import { type MinuteCount, minuteMs } from './minuteCounts.ts'

/** Splits counts since the start by minute, and knows which of them are not stored yet. */
export type MinuteCounter = {
  /** Takes the counts since the start. The increase since the last call counts for the minute of `now`, in milliseconds since 1970. */
  see(totals: Record<RateKind, number>, now: number): void
  /** The counts of the last hour's minutes that have increased since they were stored, as totals. */
  unwritten(): MinuteCount[]
  /** Called with the counts that were stored. */
  written(counts: readonly MinuteCount[]): void
}

export function createMinuteCounter(): MinuteCounter {
  let before: Record<RateKind, number> | undefined
  /** By minute and kind. */
  const counts = new Map<string, MinuteCount & { stored: number }>()

  return {
    see(totals, now) {
      const minute = Math.floor(now / minuteMs) * minuteMs
      for (const kind of rateKinds) {
        const more = totals[kind] - (before?.[kind] ?? 0)
        if (more <= 0) continue
        const key = `${minute} ${kind}`
        const known = counts.get(key) ?? { minute, kind, count: 0, stored: 0 }
        counts.set(key, { ...known, count: known.count + more })
      }
      before = totals
      // Stored counts stay as well: a clock that is set back continues with the count of its minute.
      for (const [key, { minute: of }] of counts) if (of <= minute - shownMinutes * minuteMs) counts.delete(key)
    },
    unwritten: () =>
      [...counts.values()]
        .filter(({ count, stored }) => count > stored)
        .map(({ minute, kind, count }) => ({ minute, kind, count })),
    written(stored) {
      for (const { minute, kind, count } of stored) {
        const known = counts.get(`${minute} ${kind}`)
        if (known) known.stored = count
      }
    },
  }
}
