/** Values of Move structs as nodes write them in JSON; none is trusted to match its type. */

/** The chain accepts names and symbols of at most 32 bytes (MAX_NAME_LENGTH and MAX_SYMBOL_LENGTH of coin.move and fungible_asset.move). */
export const maxNameBytes = 32

export function isDecimals(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255
}

export function isHex(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)
}

/** Pads an address or table key to 64 lower-case digits, as nodes print it without leading zeros; undefined for other values. */
export function padded(value: unknown): string | undefined {
  return isHex(value) ? value.slice(2).toLowerCase().padStart(64, '0') : undefined
}

/** Value of a Move option; undefined for none. */
export function firstOf(option: unknown): unknown {
  const { vec } = fieldsOf(option)
  return Array.isArray(vec) ? vec[0] : undefined
}

export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** Truncates a text to `limit` bytes of UTF-8, at a character. */
export function cutToBytes(text: string, limit: number): string {
  // Each character takes at least a byte, so the rest need not be encoded.
  const bytes = Buffer.from(text.length > limit ? text.slice(0, limit + 1) : text)
  if (bytes.length <= limit) return text
  let end = limit
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}
