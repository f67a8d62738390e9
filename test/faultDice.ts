import type { Fault, FaultPlan, Limit } from './faultPlan.ts'
import type { Random } from './random.ts'

/** Decides which errors strike, and counts those that did. */
export type FaultDice = {
  /**
   * Decides whether `fault` strikes the request that `key` identifies, at most as often in a row as the plan allows.
   * The caller must call `struck` if the error really changed something.
   */
  roll(fault: Fault, key: string): boolean
  struck(fault: Fault | Limit, key: string): void
}

/** `plan` is called each time, because the plan can change at run time. */
export function createFaultDice(options: {
  plan: () => FaultPlan
  random: Random
  counts: Map<Fault | Limit, number>
}): FaultDice {
  /** Consecutive strikes, by error and key. Without an entry, the last request was not struck. */
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
