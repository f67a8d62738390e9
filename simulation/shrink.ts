import type { Planned } from './plan.ts'
import { describe } from './play.ts'
import { type Outcome, type SimulateOptions, simulate } from './simulate.ts'

/** Number of runs in search of a shorter history. Each takes at most as long as the first one. */
const mostRuns = 8

/**
 * Runs a failed seed again, first without any actions, then without halves, quarters and so on of them. Reports the shortest list that
 * broke the same invariant. Timing is not part of a seed, so a successful run proves nothing. The result is short but not always the
 * shortest.
 */
export async function shrink(options: SimulateOptions, broken: Outcome, report: (line: string) => void): Promise<void> {
  const { invariant } = broken.faults[0]!
  let deeds = broken.done
  /** How many actions are omitted, and from which place. */
  let count = deeds.length
  let at = 0
  for (let run = 0; run < mostRuns && deeds.length > (run === 0 ? 0 : 1); run++) {
    const fewer = [...deeds.slice(0, at), ...deeds.slice(at + count)]
    report(`again with ${fewer.length} of ${deeds.length} deeds`)
    const kept = new Set(fewer.map(({ number }) => number))
    const only = ({ number }: Planned) => kept.has(number)
    // Rounds after the failed one cannot be its cause.
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
