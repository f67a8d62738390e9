import { onTestFinished, vi } from 'vitest'

/** The clock that measures durations, `performance.now()`. Timers and dates continue. */
export type HeldClock = {
  advance(ms: number): void
}

/** Stops the clock of this process until the test ends. Results that depend on it are then the same on every machine. */
export function holdClock(): HeldClock {
  // Whole milliseconds, so that sums and differences are exact.
  let now = Math.ceil(performance.now())
  const held = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => held.mockRestore())
  return {
    advance: (ms) => {
      now += ms
    },
  }
}
