/** What a run of results does to a success rate: x → least(cap, x + change). */
export type RateChange = { cap: number; change: number }

export const noChange: RateChange = { cap: 100, change: 0 }

/** The run with one more result at its end. */
export function withResult({ cap, change }: RateChange, delivered: boolean): RateChange {
  if (!delivered) return { cap: cap - 1, change: change - 1 }
  return { cap: Math.min(100, cap + 1), change: change + 1 }
}
