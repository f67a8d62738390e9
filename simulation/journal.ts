/** What may be away for a while: answers of 503, and attempts made twice, are faults outside such times. */
export type Away = 'database' | 'nodes' | 'api' | 'deliver'

type Span = { what: Away; from: number; to: number }

/** What happened in a world, in order, and what was found to be wrong. Times are milliseconds since the world began. */
export type Journal = {
  now(): number
  say(text: string): void
  /** The lines so far. */
  lines: readonly string[]
  /** Notes what does not hold; the run ends with it. */
  fault(invariant: string, text: string): void
  faults: readonly { at: number; invariant: string; text: string }[]
  /** Something goes away; call the result when it is back. */
  away(what: Away): () => void
  /** The world itself stood still since a moment, as its machine was busy: whatever a process of the service waited for was away. */
  stoodStill(since: number): void
  /** Whether it was away at any time between two moments, or less than `graceMs` before. */
  wasAway(what: Away, from: number, to: number, graceMs?: number): boolean
  /** How often it was away. */
  times(what: Away): number
}

/** `tell` gets each line as it comes. */
export function createJournal(tell: (line: string) => void): Journal {
  const began = performance.now()
  const lines: string[] = []
  const faults: { at: number; invariant: string; text: string }[] = []
  const spans: Span[] = []
  const now = () => Math.round(performance.now() - began)
  const say = (text: string) => {
    const line = `${(now() / 1_000).toFixed(2).padStart(7)} s  ${text}`
    lines.push(line)
    tell(line)
  }
  return {
    now,
    say,
    lines,
    faults,
    fault(invariant, text) {
      faults.push({ at: now(), invariant, text })
      // The first ones tell what broke; what follows from them would only hide it.
      if (faults.length <= 20) say(`BROKEN ${invariant}: ${text}`)
    },
    away(what) {
      const span: Span = { what, from: now(), to: Number.POSITIVE_INFINITY }
      spans.push(span)
      return () => {
        span.to = now()
      }
    },
    stoodStill(since) {
      say(`stood still for ${now() - since} ms`)
      for (const what of ['nodes', 'api', 'deliver'] as const) spans.push({ what, from: since, to: now() })
    },
    wasAway: (what, from, to, graceMs = 0) =>
      spans.some((span) => span.what === what && span.from <= to && from <= span.to + graceMs),
    times: (what) => spans.filter((span) => span.what === what).length,
  }
}
