/**
 * Escapes raw line ends, tabs and other control characters in the strings of a JSON text, which contracts that concatenate descriptions produce.
 * Everything else is unchanged, including unterminated strings and NUL, which no author intends. Takes linear time. General JSON repair libraries
 * take quadratic time (45 s for 250 kB of missing commas), too long for untrusted metadata.
 */
export function escapeControls(json: string): string {
  let escaped = ''
  let copied = 0
  for (let at = json.indexOf('"'); at >= 0; at = json.indexOf('"', at + 1)) {
    const end = endOfString(json, at)
    if (end < 0) break
    const inner = json.slice(at, end)
    if (control.test(inner)) {
      escaped += json.slice(copied, at) + escapeString(inner)
      copied = end
    }
    at = end
  }
  return escaped + json.slice(copied)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be found
const control = /[\x01-\x1f]/

/** Position of the closing quote of the string at `at`; -1 if missing. */
function endOfString(json: string, at: number): number {
  for (let i = at + 1; i < json.length; i++) {
    const unit = json.charCodeAt(i)
    if (unit === 0x22) return i
    if (unit === 0x5c) i++
  }
  return -1
}

/** A backslash before a raw line end, a JSON5 continuation, becomes the line end alone. */
function escapeString(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be replaced
  return text.replaceAll(/\\?[\x01-\x1f]|\\./gs, (match) => {
    const last = match.at(-1)!
    return escapes.get(last) ?? match
  })
}

/** Escapes of control characters except NUL, precomputed, as metadata may have a million. */
const escapes = new Map(
  Array.from({ length: 0x1f }, (_, i) => String.fromCharCode(i + 1)).map((unit) => [
    unit,
    JSON.stringify(unit).slice(1, -1),
  ]),
)
