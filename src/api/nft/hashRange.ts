import type { HashRange } from '../../nft/query.ts'

const space = 1n << 128n

/**
 * The `range`-th of `totalRanges` equal parts of the hash space. Hashes spread evenly whatever the token ids are, so the
 * parts are near equal in size, and a token stays in its part while others are minted.
 */
export function hashRange(totalRanges: number, range: number): HashRange {
  return {
    from: range === 0 ? null : boundary(totalRanges, range),
    to: range + 1 === totalRanges ? null : boundary(totalRanges, range + 1),
  }
}

function boundary(totalRanges: number, range: number): string {
  const parts = BigInt(totalRanges)
  return ((BigInt(range) * space + parts - 1n) / parts).toString(16).padStart(32, '0')
}
