/** An attempt as far as its time matters. */
type Timed = { createdAt: string; latencyMs: number }

/** Points of the chart, at most. */
const mostSteps = 60
const leastStepMs = 1_000

/** The median of attempts in each of at most 60 equal steps between the oldest and the newest; null: no attempt in a step. */
export function latencyOverTime(attempts: readonly Timed[]): {
  from: number
  stepMs: number
  values: (number | null)[]
} {
  const times = attempts.map(({ createdAt }) => Date.parse(createdAt))
  const [from, to] = [Math.min(...times), Math.max(...times)]
  const stepMs = Math.max(leastStepMs, Math.ceil((to - from + 1) / mostSteps))
  const steps = Array.from({ length: Math.max(2, Math.ceil((to - from + 1) / stepMs)) }, (): number[] => [])
  for (const [i, { latencyMs }] of attempts.entries()) steps[Math.floor((times[i]! - from) / stepMs)]!.push(latencyMs)
  return { from, stepMs, values: steps.map((step) => (step.length === 0 ? null : medianOf(step))) }
}

/** The middle value, the lower one of two. */
export function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0
}

/** 12.3 ms, 1.2 s. */
export function formatMs(ms: number): string {
  if (ms >= 1_000) return `${(ms / 1_000).toFixed(1)} s`
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
}
