/** The smallest of numbers; Infinity: there are none. The list may be of any length, where Math.min takes its numbers as arguments, which are bounded. */
export function smallest(numbers: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY
  for (const number of numbers) if (number < least) least = number
  return least
}

/** The largest of numbers; -Infinity: there are none. */
export function largest(numbers: Iterable<number>): number {
  let most = Number.NEGATIVE_INFINITY
  for (const number of numbers) if (number > most) most = number
  return most
}

/** The larger of two bigints, which Math.max does not take. */
export function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

/** The smaller of two bigints. */
export function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
