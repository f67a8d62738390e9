import { endOfString } from '../../../util/jsonNesting.ts'
import { escapeControls } from '../uri/escapeControls.ts'

/**
 * A text that is not JSON, with the usual errors of hosts and contracts repaired: characters around the JSON are removed, raw control characters in
 * strings are escaped, and `NaN` and infinities become null. Everything else stays as it is. Takes time linear in the text.
 */
export function repairJson(text: string): string {
  return nullNonNumbers(escapeControls(cutSurroundings(text)))
}

/** Most characters before the JSON, and behind it. */
const maxAround = 1_000

/** Most characters behind the JSON besides white space, `,`, `;` and comments of HTML. */
const maxTrailing = 16

const comment = '<!--[^]*?-->'
/** Some contracts pad with NUL. */
const padding = '[\\x00-\\x20\\x7f-\\xa0\\u200b\\u2060\\ufeff,;]'
/** `)]}'`: hosts send it so that no browser runs the answer as a script. */
const before = new RegExp(`(?:${padding}|${comment}|\\)\\]\\}')*`, 'y')
const ignored = new RegExp(`${comment}|${padding}`, 'g')

/**
 * The only JSON value in a text, without surrounding characters: white space, NUL, `,` and `;`, HTML comments, the guard `)]}'` before it, and a few
 * stray characters after it. The text itself if there are more.
 */
function cutSurroundings(text: string): string {
  before.lastIndex = 0
  const start = before.exec(text.slice(0, maxAround + 1))![0].length
  if (start > maxAround || !/[[{"]/.test(text[start] ?? '')) return text
  const end = endOfValue(text, start)
  if (end === undefined || text.length - end > maxAround) return text
  const rest = text.slice(end).replaceAll(ignored, '')
  if (rest.length > maxTrailing || /[[{"]/.test(rest)) return text
  return text.slice(start, end)
}

/** If the array, object or string that begins at `start` ends; undefined if it does not. */
function endOfValue(text: string, start: number): number | undefined {
  let depth = 0
  for (let i = start; i < text.length; i++) {
    const unit = text[i]
    if (unit === '"') {
      i = endOfString(text, i)
      if (i === text.length) return undefined
    } else if (unit === '{' || unit === '[') depth++
    else if (unit === '}' || unit === ']') depth--
    else continue
    if (depth <= 0) return i + 1
  }
  return undefined
}

/** `NaN`, `Infinity` and `-Infinity` outside of strings, which the libraries of some languages write as numbers, become null. */
function nullNonNumbers(text: string): string {
  if (!/NaN|Infinity/.test(text)) return text
  let repaired = ''
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at)
    const plain = quote < 0 ? text.length : quote
    repaired += text.slice(at, plain).replaceAll(/[-+]?\b(?:NaN|Infinity)\b/g, 'null')
    at = quote < 0 ? text.length : Math.min(text.length, endOfString(text, quote) + 1)
    repaired += text.slice(plain, at)
  }
  return repaired
}
