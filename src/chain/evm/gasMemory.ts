import type { Address } from '../../util/hex.ts'

/** How many views of a contract fit into the gas of one multicall, as its last calls showed. */
export type GasMemory = {
  /** `most` where nothing is known. */
  fit(address: Address): number
  learn(address: Address, fit: number): void
}

/** What was learned holds for an hour: it may have been a node that lagged. */
const heldMs = 3_600_000
const mostContracts = 10_000

export function createGasMemory(most: number, now: () => number = () => performance.now()): GasMemory {
  const known = new Map<Address, { fit: number; until: number }>()
  return {
    fit(address) {
      const found = known.get(address)
      return found && found.until > now() ? found.fit : most
    },
    learn(address, fit) {
      known.delete(address)
      known.set(address, { fit, until: now() + heldMs })
      const oldest = known.size > mostContracts ? known.keys().next().value : undefined
      if (oldest) known.delete(oldest)
    },
  }
}
