import type { CoinState } from './decode/coinState.ts'
import { createSupplyPoints, type SupplyPoints } from './supplyPoints.ts'

/** States of one subject within a stored range of versions, as a database row. */
export type CoinRun = {
  subject: string
  /** Version of the first state. */
  version: bigint
  /** Last written decimals, after the last state. */
  decimals: number | null
  supply: bigint | null
  maximum: bigint | null
  deleted: boolean
  points: Buffer
}

/** States to be stored, by subject: 50,000 versions of the chain's own coin become one run of bytes. */
export type CoinRuns = {
  /** In version order. */
  add(states: Iterable<CoinState>): void
  runs(): CoinRun[]
}

export function createCoinRuns(): CoinRuns {
  const open = new Map<string, { run: Omit<CoinRun, 'points'>; points: SupplyPoints }>()
  return {
    add(states) {
      for (const { subject, version, decimals, supply, maximum, deleted } of states) {
        let known = open.get(subject)
        if (!known) {
          const run = { subject, version, decimals, supply, maximum, deleted }
          known = { run, points: createSupplyPoints(version) }
          open.set(subject, known)
        }
        const { run, points } = known
        points.add(version, supply)
        run.decimals = decimals ?? run.decimals
        run.supply = supply
        run.maximum = maximum
        run.deleted = deleted
      }
    },
    runs: () => [...open.values()].map(({ run, points }) => ({ ...run, points: points.bytes() })),
  }
}
