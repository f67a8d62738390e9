/** Values of Move structs as nodes write them in JSON, of which none is trusted to be what its type says. */

/** The chain takes names and symbols of at most 32 bytes (MAX_NAME_LENGTH and MAX_SYMBOL_LENGTH of coin.move and fungible_asset.move). */
export const maxNameBytes = 32

export function isDecimals(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255
}

export function isHex(value: unknown): value is string {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value)
}

/** 64 lower-case digits of an address or a table's key, which nodes print without leading zeros; undefined if it is none. */
export function padded(value: unknown): string | undefined {
  return isHex(value) ? value.slice(2).toLowerCase().padStart(64, '0') : undefined
}

/** What an option holds; undefined if it is none. */
export function firstOf(option: unknown): unknown {
  const { vec } = fieldsOf(option)
  return Array.isArray(vec) ? vec[0] : undefined
}

export function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** As much of a text as `limit` bytes of UTF-8 hold, no character cut in half. */
export function cutToBytes(text: string, limit: number): string {
  // A character takes a byte at least, so what is behind is never kept: a megabyte is not encoded for 32 bytes.
  const bytes = Buffer.from(text.length > limit ? text.slice(0, limit + 1) : text)
  if (bytes.length <= limit) return text
  let end = limit
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}
