/** `JSON.rawJSON` writes a number with its own digits. Browsers have it since March 2025. */
const { rawJSON } = JSON as { rawJSON?(digits: string): unknown }

/** Untrusted metadata: JSON is parsed, with every digit of its numbers, and other text is returned as received. */
export function readMetadata(text: string): unknown {
  try {
    return JSON.parse(text, withDigits as (key: string, value: unknown) => unknown)
  } catch {
    return text
  }
}

/** Parsed numbers are rounded above 2^53. The browser passes the number's own text as `source`. */
function withDigits(_key: string, value: unknown, { source }: { source?: string } = {}): unknown {
  return typeof value === 'number' && source !== undefined && rawJSON ? rawJSON(source) : value
}
