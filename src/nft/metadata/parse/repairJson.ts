import { endOfString } from '../../../util/jsonNesting.ts'
import { escapeControls } from '../uri/escapeControls.ts'

/**
 * Repairs common errors of hosts and contracts in invalid JSON: removes characters around the JSON, escapes raw control characters in strings, and
 * replaces `NaN` and infinities by null. Everything else is unchanged. Takes linear time.
 */
export function repairJson(text: string): string {
  return nullNonNumbers(escapeControls(cutSurroundings(text)))
}

/** Most characters before the JSON, and after it. */
const maxAround = 1_000

/** Most characters after the JSON besides white space, `,`, `;` and HTML comments. */
const maxTrailing = 16

const comment = '<!--[^]*?-->'
/** Some contracts pad with NUL. */
const padding = '[\\x00-\\x20\\x7f-\\xa0\\u200b\\u2060\\ufeff,;]'
/** `)]}'`: hosts send it so that browsers do not run the response as a script. */
const before = new RegExp(`(?:${padding}|${comment}|\\)\\]\\}')*`, 'y')
const ignored = new RegExp(`${comment}|${padding}`, 'g')

/**
 * The only JSON value in a text, without surrounding white space, NUL, `,`, `;`, HTML comments, the guard `)]}'` before it, and a few stray
 * characters after it. The text itself if there are more.
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

/** End of the array, object or string that begins at `start`; undefined if it is unterminated. */
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

/** Replaces `NaN`, `Infinity` and `-Infinity` outside of strings by null; libraries of some languages write them as numbers. */
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
