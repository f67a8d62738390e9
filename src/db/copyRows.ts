import { Readable } from 'node:stream'

/** Large enough for cheap sending, small enough to keep memory flat. */
const chunkLength = 65_536

/** A stream for COPY in text format, from rows that are complete lines with line feeds. */
export function copyRows(lines: Iterable<string>): Readable {
  return Readable.from(chunks(lines))
}

function* chunks(lines: Iterable<string>): Generator<Buffer> {
  let text = ''
  for (const line of lines) {
    text += line
    if (text.length < chunkLength) continue
    yield Buffer.from(text)
    text = ''
  }
  if (text !== '') yield Buffer.from(text)
}

/** A bytea from hex digits in COPY's text format; null for null. */
export function copyBytes(hex: string | null): string {
  return hex === null ? '\\N' : `\\\\x${hex}`
}

const specials: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A text in COPY's text format; null for null. It must not contain NUL. */
export function copyText(text: string | null): string {
  return text === null ? '\\N' : text.replace(/[\\\n\r\t]/g, (c) => specials[c]!)
}
