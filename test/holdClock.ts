import { onTestFinished, vi } from 'vitest'

/** The clock that durations are measured by, `performance.now()`. Timers and dates go on by themselves. */
export type HeldClock = {
  advance(ms: number): void
}

/** Holds the clock of this process until the test ends: what depends on it is then the same on every machine. */
export function holdClock(): HeldClock {
  // Whole milliseconds: sums and differences are exact.
  let now = Math.ceil(performance.now())
  const held = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => held.mockRestore())
  return {
    advance: (ms) => {
      now += ms
    },
  }
}
