import type { Address, Hex } from '../../../util/hex.ts'

/** Gas use of the latest calls of a contract's views. */
export type GasMemory = {
  /** How many calls of the contract's views fit into the gas of one multicall; `most` if unknown. */
  fit(address: Address): number
  rememberFit(address: Address, fit: number): void
  /** For a contract with endless views: the data of the last call that was made with all the gas. */
  endless(address: Address): { after: Hex } | undefined
  rememberEndless(address: Address, after: Hex): void
}

/** Entries expire after an hour: the node may only have lagged or been busy. */
const heldMs = 3_600_000
const mostContracts = 10_000

export function createGasMemory(most: number): GasMemory {
  const fits = createHeld<{ fit: number }>()
  const endless = createHeld<{ after: Hex }>()
  return {
    fit: (address) => fits.get(address)?.fit ?? most,
    rememberFit: (address, fit) => fits.set(address, { fit }),
    endless: endless.get,
    rememberEndless: (address, after) => endless.set(address, { after }),
  }
}

function createHeld<T>() {
  const known = new Map<Address, { value: T; until: number }>()
  return {
    get(address: Address): T | undefined {
      const found = known.get(address)
      return found && found.until > performance.now() ? found.value : undefined
    },
    set(address: Address, value: T): void {
      known.delete(address)
      known.set(address, { value, until: performance.now() + heldMs })
      const oldest = known.size > mostContracts ? known.keys().next().value : undefined
      if (oldest) known.delete(oldest)
    },
  }
}
