/** One line of the table: a number that was measured, and what it has to reach where a goal is set. */
export type Row = { what: string; value: number; unit: string; goal?: { atLeast: number } | { atMost: number } }

/** What the command line says to every figure; each takes what concerns it. */
export type FigureOptions = {
  /** Rows of its large side, where the usual number would take too long. */
  rows?: number
  /** Called when what is measured has its rows: measuring goes on once the promise is kept. */
  seeded?: () => Promise<void>
}

/** A question about speed and how it is answered. */
export type Figure = {
  name: string
  title: string
  /** Why it cannot be measured here, where it cannot. */
  missing?: string | undefined
  run(options?: FigureOptions): Promise<Row[]>
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The 99th percentile of values in ascending order. */
export function p99(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length * 0.99)]!
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** What one number is of another, in per cent, and how much it has to be. */
export function shareOf(own: number, whole: number, atLeast: number): Omit<Row, 'what'> {
  return { value: (own / whole) * 100, unit: '%', goal: { atLeast } }
}

export function reached({ value, goal }: Row): boolean {
  if (!goal) return true
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost
}

/** Every round measures both sides, one right after the other; a row is the median over the rounds. */
export async function medians(rounds: number, round: () => Promise<Row[]>): Promise<Row[]> {
  const all: Row[][] = []
  for (let i = 0; i < rounds; i++) all.push(await round())
  return all[0]!.map((row, place) => ({ ...row, value: median(all.map((rows) => rows[place]!.value)) }))
}
