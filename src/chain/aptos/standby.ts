import type { AptosSource } from './source.ts'

/** A source and what people call it: `grpc`, `rest`. */
export type NamedSource = { name: string; source: AptosSource }

/** One of several sources, and how it has fared lately. */
export type Standby = NamedSource & {
  /** It failed or fell behind, so for now the others are queried before it. */
  isLeftAlone(): boolean
  /** Leaves the source alone, twice as long each time until it does well again; gives that time in milliseconds. */
  leaveAlone(): number
  /** Counts an error that may pass; gives how many there were in a row. */
  fault(): number
  /** The source gave transactions. Gives whether it had been left alone before. */
  didWell(): boolean
}

/** Longest time for which a source is paused, in first pauses. */
const longestPauses = 20

export function createStandby(named: NamedSource, firstPauseMs: number): Standby {
  let faults = 0
  let pauseMs = 0
  let until = Number.NEGATIVE_INFINITY
  return {
    ...named,
    isLeftAlone: () => performance.now() < until,
    leaveAlone() {
      pauseMs = pauseMs === 0 ? firstPauseMs : Math.min(pauseMs * 2, longestPauses * firstPauseMs)
      until = performance.now() + pauseMs
      return pauseMs
    },
    fault: () => ++faults,
    didWell() {
      const wasLeft = pauseMs > 0
      faults = 0
      pauseMs = 0
      until = Number.NEGATIVE_INFINITY
      return wasLeft
    },
  }
}
