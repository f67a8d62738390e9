const mostDigits = /^\d{1,39}$/

/** The most that a u128 of Move holds. */
export const maxU128 = 2n ** 128n - 1n

/** A u128 in the digits that nodes write; undefined if it is none. */
export function parseU128(value: unknown): bigint | undefined {
  const number = typeof value === 'string' && mostDigits.test(value) ? BigInt(value) : undefined
  return number !== undefined && number <= maxU128 ? number : undefined
}
