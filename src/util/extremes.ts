/** The smallest number; Infinity if there is none. The list may have any length, unlike the arguments of Math.min. */
export function smallest(numbers: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY
  for (const number of numbers) if (number < least) least = number
  return least
}

/** The largest number; -Infinity if there is none. */
export function largest(numbers: Iterable<number>): number {
  let most = Number.NEGATIVE_INFINITY
  for (const number of numbers) if (number > most) most = number
  return most
}

/** The larger of two bigints, which Math.max does not accept. */
export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

/** The smaller of two bigints. */
export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** The highest block that a chain may have here: positions of logs above it (`nft/transfers/position.ts`) are not exact as doubles. */
export const highestBlock = 2 ** 33 - 1
