import type { Planned } from './plan.ts'
import { describe } from './play.ts'
import { type Outcome, type SimulateOptions, simulate } from './simulate.ts'

/** Runs that are made to find a shorter history; each takes as long as the first. */
const mostRuns = 8

/**
 * Runs a seed that broke something with fewer and fewer of its deeds, and tells the shortest list that broke the same invariant again.
 * As time is no part of a seed, a run that holds proves nothing: what is told is short, and not always the shortest.
 */
export async function shrink(options: SimulateOptions, broken: Outcome, tell: (line: string) => void): Promise<void> {
  const { invariant } = broken.faults[0]!
  // What comes after the fault did not bring it about.
  let deeds = broken.plan.filter((planned) => planned.round < broken.rounds)
  for (let run = 0, parts = 2; run < mostRuns && deeds.length > 0 && parts <= deeds.length * 2; run++) {
    const size = Math.ceil(deeds.length / parts)
    const start = (run % parts) * size
    const fewer = [...deeds.slice(0, start), ...deeds.slice(start + size)]
    tell(`again with ${fewer.length} of ${deeds.length} deeds`)
    const kept = new Set(fewer.map(({ number }) => number))
    const outcome = await simulate({ ...options, only: ({ number }) => kept.has(number), tell: () => undefined })
    if (outcome.faults.some((fault) => fault.invariant === invariant)) deeds = fewer
    else if ((run + 1) % parts === 0) parts *= 2
  }
  tell(`seed ${options.seed} breaks "${invariant}" with these deeds:`)
  for (const planned of deeds) tell(lineOf(planned))
  tell(
    `npm run simulate -- --seed ${options.seed} --minutes ${options.ms / 60_000} --only ${deeds.map(({ number }) => number).join(',')}`,
  )
}

const lineOf = ({ number, round, at, deed }: Planned) => `  #${number} round ${round + 1}, ${at} ms: ${describe(deed)}`
