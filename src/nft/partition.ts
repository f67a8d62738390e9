import { hash } from 'node:crypto'
import type { Address } from '../util/hex.ts'

/** How many parts the work and the big tables are split into. Never changed: it is part of every stored key. */
export const partitionCount = 256

/** The partition of a contract of a chain. */
export function partitionOf(chainId: bigint, address: Address): number {
  return hash('sha256', `${chainId}:${address}`, 'buffer').readUInt8(0)
}
