import type { AptosSource } from './source.ts'

/** A source and what people call it: `grpc`, `rest`. */
export type NamedSource = { name: string; source: AptosSource }

/** One of several sources, and how it did lately. */
export type Standby = NamedSource & {
  /** It failed or fell behind, so for now the others are asked before it. */
  isLeftAlone(): boolean
  /** For a time, which is answered in milliseconds and doubles until the source does well again. */
  leaveAlone(): number
  /** Counts a fault that may pass. Answers how many there were in a row. */
  fault(): number
  /** It gave transactions. Answers whether it had been left alone before. */
  didWell(): boolean
}

/** A source is left alone for so many times the first pause at most. */
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
