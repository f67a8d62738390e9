import type { Address } from '../util/hex.ts'

/** Contracts whose logs must not be missed. */
export type Watched = { readonly size: number; has(address: Address): boolean; keys(): Iterable<Address> }

/** All of them as one, without a copy: there may be a hundred thousand. */
export function unionOf(all: readonly Watched[]): Watched {
  const filled = all.filter(({ size }) => size > 0)
  if (filled.length === 1) return filled[0]!
  return {
    size: filled.reduce((sum, { size }) => sum + size, 0),
    has: (address) => filled.some((watched) => watched.has(address)),
    *keys() {
      for (const watched of filled) yield* watched.keys()
    },
  }
}
