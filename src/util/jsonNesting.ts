/**
 * Nesting depth of the arrays and objects of a JSON text, without parsing it: a megabyte can nest half a million deep, which would exceed the stack
 * of a later step. Counting ends at a depth of `limit` + 1, or at more than `most` arrays and objects in total, at position `beyondAt`. For a text
 * that is not JSON the result means nothing.
 */
export function jsonNesting(
  text: string,
  limit: number,
  most = Number.POSITIVE_INFINITY,
): { deepest: number; beyondAt?: number } {
  let depth = 0
  let deepest = 0
  let count = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === quote) {
      i = endOfString(text, i)
    } else if (unit === 0x5b || unit === 0x7b) {
      depth++
      if (depth > deepest) deepest = depth
      count++
      if (deepest > limit || count > most) return { deepest, beyondAt: i }
    } else if (unit === 0x5d || unit === 0x7d) depth--
  }
  return { deepest }
}

const quote = 0x22

/** The end position of the string that starts at `start`, or the end of the text. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++
    if (slashes % 2 === 0) return end
  }
  return text.length
}
