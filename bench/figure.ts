/** One row of the table: a measured number and, where there is a goal, the goal. */
export type Row = { what: string; value: number; unit: string; goal?: { atLeast: number } | { atMost: number } }

/** Options of the command line. Each figure uses those that concern it. */
export type FigureOptions = {
  /** Number of rows on the large side, if the default takes too long. */
  rows?: number
  /** The figure calls it once its data is stored, and measures after the promise resolves. */
  seeded?: () => Promise<void>
}

/** A question about speed, and the function that measures it. */
export type Figure = {
  name: string
  title: string
  /** The reason why this machine cannot measure it. */
  missing?: string | undefined
  run(options?: FigureOptions): Promise<Row[]>
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** Returns the 99th percentile of values in ascending order. */
export function p99(sorted: readonly number[]): number {
  return sorted[Math.floor(sorted.length * 0.99)]!
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** A row that shows `own` as a percentage of `whole`, with the goal. */
export function shareOf(own: number, whole: number, atLeast: number): Omit<Row, 'what'> {
  return { value: (own / whole) * 100, unit: '%', goal: { atLeast } }
}

export function reached({ value, goal }: Row): boolean {
  if (!goal) return true
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost
}

/** Each round measures both sides right after each other. A row is the median over all rounds. */
export async function medians(rounds: number, round: () => Promise<Row[]>): Promise<Row[]> {
  const all: Row[][] = []
  for (let i = 0; i < rounds; i++) all.push(await round())
  return all[0]!.map((row, place) => ({ ...row, value: median(all.map((rows) => rows[place]!.value)) }))
}
