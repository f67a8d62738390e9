/**
 * A JSON text with the raw line ends, tabs and other control characters of its strings escaped, as contracts that put a
 * description together by hand leave them; everything else stays as it is. A string that does not end is left alone.
 * NUL is not escaped: no writer of text means it. Time is linear in the text: libraries that repair any JSON need time
 * square in it (45 s for 250 kB of missing commas), which a stranger's document must not take.
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

/** Where the string that begins at `at` has its closing quote; -1 where it has none. */
function endOfString(json: string, at: number): number {
  for (let i = at + 1; i < json.length; i++) {
    const unit = json.charCodeAt(i)
    if (unit === 0x22) return i
    if (unit === 0x5c) i++
  }
  return -1
}

/** A backslash with a raw line end after it, as JSON5 continues a line, becomes the line end alone. */
function escapeString(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be replaced
  return text.replaceAll(/\\?[\x01-\x1f]|\\./gs, (match) => {
    const last = match.at(-1)!
    return escapes.get(last) ?? match
  })
}

/** Of each control character but NUL, made once: a document may hold a million. */
const escapes = new Map(
  Array.from({ length: 0x1f }, (_, i) => String.fromCharCode(i + 1)).map((unit) => [
    unit,
    JSON.stringify(unit).slice(1, -1),
  ]),
)
