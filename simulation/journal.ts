/**
 * What may be unreachable for a while: answers of 503, and attempts made twice, are errors outside such times. `api 1`: the first of the processes that
 * answer. `deliver`: a process that delivers, or the server of the database with all leases, was killed or frozen. `machine`: the world itself
 * could not run.
 */
export type Unreachable = 'database' | 'nodes' | `api ${number}` | 'deliver' | 'machine'

/** A process that could not run for so long is taken for dead, and another one does its work, in milliseconds: see `sync/leases/`. */
const leaseMs = 4_500

type Span = { what: Unreachable; from: number; to: number }

/** What happened in a world, in order, and what was found to be wrong. Times are milliseconds since the world began. */
export type Journal = {
  now(): number
  say(text: string): void
  /** The lines so far. */
  lines: readonly string[]
  /** Notes what does not hold; the run ends with it. */
  fault(invariant: string, text: string): void
  faults: readonly { at: number; invariant: string; text: string }[]
  /** Something becomes unreachable; call the result when it is back. */
  away(what: Unreachable): () => void
  /** It was unreachable since a moment, until now. */
  wasGone(what: Unreachable, from: number): void
  /** The world itself stalled since a moment, as its machine was busy: nodes answered nothing meanwhile, and nor did the service. */
  stoodStill(since: number): void
  /** Whether it was unreachable at any time between two moments, or less than `graceMs` before. */
  wasUnreachable(what: Unreachable, from: number, to: number, graceMs?: number): boolean
  /** When its absences at any time between two moments began and ended, taken together; undefined: there was none. */
  absence(what: Unreachable, from: number, to: number): { from: number; to: number } | undefined
  /** What the world lets pass, as something was unreachable. */
  excuse(what: string): void
  /** What was compared with the truth. */
  count(what: string): void
  /** How often each, by name: what a run shows at its end. */
  excused: ReadonlyMap<string, number>
  counted: ReadonlyMap<string, number>
}

/** `report` gets each line as it comes. */
export function createJournal(report: (line: string) => void): Journal {
  const began = performance.now()
  const lines: string[] = []
  const faults: { at: number; invariant: string; text: string }[] = []
  const spans: Span[] = []
  const excused = new Map<string, number>()
  const counted = new Map<string, number>()
  const add = (sums: Map<string, number>) => (what: string) => void sums.set(what, (sums.get(what) ?? 0) + 1)
  const now = () => Math.round(performance.now() - began)
  const say = (text: string) => {
    const line = `${(now() / 1_000).toFixed(2).padStart(7)} s  ${text}`
    lines.push(line)
    report(line)
  }
  const wasGone = (what: Unreachable, from: number) => void spans.push({ what, from, to: now() })
  return {
    now,
    say,
    lines,
    faults,
    fault(invariant, text) {
      faults.push({ at: now(), invariant, text })
      // The first ones show what broke; what follows from them would only hide it.
      if (faults.length <= 20) say(`BROKEN ${invariant}: ${text}`)
    },
    away(what) {
      const span: Span = { what, from: now(), to: Number.POSITIVE_INFINITY }
      spans.push(span)
      return () => {
        span.to = now()
      }
    },
    wasGone,
    stoodStill(since) {
      say(`stalled for ${now() - since} ms`)
      const gone: Unreachable[] = ['machine', 'nodes', ...(now() - since > leaseMs ? (['deliver'] as const) : [])]
      for (const what of gone) wasGone(what, since)
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
