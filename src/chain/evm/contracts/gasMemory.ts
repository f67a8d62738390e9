import { createLru } from '../../../util/createLru.ts'
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
  const fits = createLru<Address, number>(mostContracts, { ttl: heldMs })
  const endless = createLru<Address, { after: Hex }>(mostContracts, { ttl: heldMs })
  return {
    fit: (address) => fits.get(address) ?? most,
    rememberFit: (address, fit) => void fits.set(address, fit),
    endless: (address) => endless.get(address),
    rememberEndless: (address, after) => void endless.set(address, { after }),
  }
}
