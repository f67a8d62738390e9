const mostDigits = /^\d{1,39}$/

/** The highest u128 of Move. */
export const maxU128 = 2n ** 128n - 1n

/** Parses a u128 in decimal digits; undefined if it is invalid. */
export function parseU128(value: unknown): bigint | undefined {
  const number = typeof value === 'string' && mostDigits.test(value) ? BigInt(value) : undefined
  return number !== undefined && number <= maxU128 ? number : undefined
}
