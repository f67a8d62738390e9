import type { AptosSource } from './source.ts'

/** A source and its display name: `grpc`, `rest`. */
export type NamedSource = { name: string; source: AptosSource }

/** One of several sources, and its recent health. */
export type Standby = NamedSource & {
  /** It failed or fell behind, so for now the other sources are used before it. */
  isBackingOff(): boolean
  /** Pauses the source, twice as long each time until it succeeds again. Returns the pause in milliseconds. */
  pause(): number
  /** Counts a transient error. Returns the number of consecutive ones. */
  fault(): number
  /** The source returned transactions. Returns whether it was paused before. */
  didWell(): boolean
}

/** Longest pause, as a multiple of the first one. */
const longestPauses = 20

export function createStandby(named: NamedSource, firstPauseMs: number): Standby {
  let faults = 0
  let pauseMs = 0
  let until = Number.NEGATIVE_INFINITY
  return {
    ...named,
    isBackingOff: () => performance.now() < until,
    pause() {
      pauseMs = pauseMs === 0 ? firstPauseMs : Math.min(pauseMs * 2, longestPauses * firstPauseMs)
      until = performance.now() + pauseMs
      return pauseMs
    },
    fault: () => ++faults,
    didWell() {
      const wasPaused = pauseMs > 0
      faults = 0
      pauseMs = 0
      until = Number.NEGATIVE_INFINITY
      return wasPaused
    },
  }
}
