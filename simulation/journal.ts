/**
 * What may be unreachable for a while. Outside of such times, a 503 and a repeated attempt are errors. `api 1`: the first API process.
 * `deliver`: a delivering process, or the database server with all leases, was killed or frozen. `machine`: the world itself could not run.
 */
export type Unreachable = 'database' | 'nodes' | `api ${number}` | 'deliver' | 'machine'

/** Milliseconds after which a frozen process loses its leases to another one: see `sync/leases/`. */
const leaseMs = 4_500

type Span = { what: Unreachable; from: number; to: number }

/** The events of a world in order, and the errors that it found. Times are milliseconds since the world began. */
export type Journal = {
  now(): number
  log(text: string): void
  /** All lines so far. */
  lines: readonly string[]
  /** Notes a broken invariant. It ends the run. */
  fault(invariant: string, text: string): void
  faults: readonly { at: number; invariant: string; text: string }[]
  /** Marks something as unreachable until the caller calls the result. */
  markUnreachable(what: Unreachable): () => void
  /** Marks something as unreachable from a past moment until now. */
  noteOutage(what: Unreachable, from: number): void
  /** Marks a stall of the world on a busy machine since a past moment. Neither nodes nor the service answered meanwhile. */
  stalled(since: number): void
  /** Whether it was unreachable between two moments, or less than `graceMs` before. */
  wasUnreachable(what: Unreachable, from: number, to: number, graceMs?: number): boolean
  /** Begin and end of its absences that overlap a time, taken together; undefined: there was none. */
  absence(what: Unreachable, from: number, to: number): { from: number; to: number } | undefined
  /** Counts something that the world accepts because something was unreachable. */
  excuse(what: string): void
  /** Counts something that was compared with the truth. */
  count(what: string): void
  /** Counts by name. A run shows them at its end. */
  excused: ReadonlyMap<string, number>
  counted: ReadonlyMap<string, number>
}

/** `report` receives each line. */
export function createJournal(report: (line: string) => void): Journal {
  const began = performance.now()
  const lines: string[] = []
  const faults: { at: number; invariant: string; text: string }[] = []
  const spans: Span[] = []
  const excused = new Map<string, number>()
  const counted = new Map<string, number>()
  const add = (sums: Map<string, number>) => (what: string) => void sums.set(what, (sums.get(what) ?? 0) + 1)
  const now = () => Math.round(performance.now() - began)
  const log = (text: string) => {
    const line = `${(now() / 1_000).toFixed(2).padStart(7)} s  ${text}`
    lines.push(line)
    report(line)
  }
  const noteOutage = (what: Unreachable, from: number) => void spans.push({ what, from, to: now() })
  return {
    now,
    log,
    lines,
    faults,
    fault(invariant, text) {
      faults.push({ at: now(), invariant, text })
      // The first errors show the cause; later ones usually follow from it and would hide it.
      if (faults.length <= 20) log(`BROKEN ${invariant}: ${text}`)
    },
    markUnreachable(what) {
      const span: Span = { what, from: now(), to: Number.POSITIVE_INFINITY }
      spans.push(span)
      return () => {
        span.to = now()
      }
    },
    noteOutage,
    stalled(since) {
      log(`stalled for ${now() - since} ms`)
      const unreachable: Unreachable[] = [
        'machine',
        'nodes',
        ...(now() - since > leaseMs ? (['deliver'] as const) : []),
      ]
      for (const what of unreachable) noteOutage(what, since)
    },
    wasUnreachable: (what, from, to, graceMs = 0) =>
      spans.some((span) => span.what === what && span.from <= to && from <= span.to + graceMs),
    absence(what, from, to) {
      const own = spans.filter((span) => span.what === what && span.from <= to && from <= span.to)
      if (own.length === 0) return undefined
      return {
        from: Math.min(...own.map((span) => span.from)),
        to: Math.max(...own.map((span) => Math.min(span.to, now()))),
      }
    },
    excuse: add(excused),
    count: add(counted),
    excused,
    counted,
  }
}
