/** A part of an address as it is meant; as written where it is no percent-encoding: a password may have a `%` of its own. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
