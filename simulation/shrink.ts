import type { Planned } from './plan.ts'
import { describe } from './play.ts'
import { type Outcome, type SimulateOptions, simulate } from './simulate.ts'

/** Runs that are made to find a shorter history; each takes as long as the first at most. */
const mostRuns = 8

/**
 * Runs a seed that broke something again: without any of its deeds, then without halves of them, quarters, and so on, and shows the shortest
 * list that broke the same invariant. As time is no part of a seed, a run that holds proves nothing: what is reported is short, and not always
 * the shortest.
 */
export async function shrink(options: SimulateOptions, broken: Outcome, report: (line: string) => void): Promise<void> {
  const { invariant } = broken.faults[0]!
  let deeds = broken.done
  /** How many are omitted, and from which place on. */
  let count = deeds.length
  let at = 0
  for (let run = 0; run < mostRuns && deeds.length > (run === 0 ? 0 : 1); run++) {
    const fewer = [...deeds.slice(0, at), ...deeds.slice(at + count)]
    report(`again with ${fewer.length} of ${deeds.length} deeds`)
    const kept = new Set(fewer.map(({ number }) => number))
    const only = ({ number }: Planned) => kept.has(number)
    // Rounds after the one that broke did not bring it about.
    const outcome = await simulate({ ...options, only, mostRounds: broken.rounds, report: () => undefined })
    if (outcome.faults.some((fault) => fault.invariant === invariant)) deeds = fewer
    else at += count
    if (at >= deeds.length) {
      if (count === 1) break
      count = Math.ceil(Math.min(count, deeds.length) / 2)
      at = 0
    }
  }
  report(`seed ${options.seed} breaks "${invariant}" with these deeds:`)
  for (const planned of deeds) report(lineOf(planned))
  const only = deeds.map(({ number }) => number).join(',') || 'none'
  const citus = options.size?.citus ? ' --citus' : ''
  report(`npm run simulate -- --seed ${options.seed} --minutes ${options.ms / 60_000}${citus} --only ${only}`)
}

const lineOf = ({ number, round, at, deed }: Planned) => `  #${number} round ${round + 1}, ${at} ms: ${describe(deed)}`
