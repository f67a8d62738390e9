import type { Fault, FaultPlan, Limit } from './faultPlan.ts'
import type { Random } from './random.ts'

/** Decides which error strikes, and counts what struck. */
export type FaultDice = {
  /**
   * Whether `fault` is to strike the request that `key` names, never more often in a row than the plan says. The caller calls
   * `struck` where the error really changed something.
   */
  roll(fault: Fault, key: string): boolean
  struck(fault: Fault | Limit, key: string): void
}

/** `plan` is called each time, as the plan can change at run time. */
export function createFaultDice(options: {
  plan: () => FaultPlan
  random: Random
  counts: Map<Fault | Limit, number>
}): FaultDice {
  /** How often in a row, by error and key; no entry: not struck the last time. */
  const rows = new Map<string, number>()
  return {
    roll: (fault, key) => {
      const rate = options.plan().faults?.[fault]
      if (rate === undefined) return false
      const { probability, inARow = 3 } = typeof rate === 'number' ? { probability: rate } : rate
      const row = `${fault} ${key}`
      if ((rows.get(row) ?? 0) < inARow && options.random.chance(probability)) return true
      rows.delete(row)
      return false
    },
    struck: (fault, key) => {
      const row = `${fault} ${key}`
      rows.set(row, (rows.get(row) ?? 0) + 1)
      options.counts.set(fault, (options.counts.get(fault) ?? 0) + 1)
    },
  }
}
