import type { AptosSource } from './source.ts'

/** A source and what people call it: `grpc`, `rest`. */
export type NamedSource = { name: string; source: AptosSource }

/** One of several sources, and how it did lately. */
export type Standby = NamedSource & {
  /** It failed, and is not asked before the others for now. */
  isLeft(): boolean
  /** Leaves it alone, each time longer until it does well again. Answers for how long, in milliseconds. */
  leave(): number
  /** Counts a fault that may pass. Answers how many there were in a row. */
  fault(): number
  /** It gave transactions. */
  didWell(): void
}

/** A source is left alone for so many times the first pause at most. */
const longestPauses = 20

export function createStandby(named: NamedSource, firstPauseMs: number): Standby {
  let faults = 0
  let pauseMs = 0
  let until = Number.NEGATIVE_INFINITY
  return {
    ...named,
    isLeft: () => performance.now() < until,
    leave() {
      pauseMs = pauseMs === 0 ? firstPauseMs : Math.min(pauseMs * 2, longestPauses * firstPauseMs)
      until = performance.now() + pauseMs
      return pauseMs
    },
    fault: () => ++faults,
    didWell() {
      faults = 0
      pauseMs = 0
      until = Number.NEGATIVE_INFINITY
    },
  }
}
