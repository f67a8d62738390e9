/** A JSON value of a stream, as text, with its first line number. */
type JsonPart = { text: string; line: number }

/** An unexpected character where a value should begin or end; `line`: its line. */
type JsonFault = { line: number; fault: 'tooLong' | 'noJson' }

const [quote, backslash, comma, newline] = [0x22, 0x5c, 0x2c, 0x0a]
const opens = new Set([0x5b, 0x7b])
const closes = new Set([0x5d, 0x7d])
const blanks = new Set([0x20, 0x09, 0x0a, 0x0d])

/**
 * Splits a byte stream into JSON objects, which are separate or in one array, by counting brackets. JSON.parse
 * validates them later. Buffers one object of at most `maxBytes`, with its line number. Ends with an error if there is
 * one.
 */
export async function* splitJson(
  chunks: AsyncIterable<Buffer>,
  { maxBytes }: { maxBytes: number },
): AsyncGenerator<JsonPart | JsonFault> {
  let line = 1
  /** 'closed': the outer array has ended. */
  let around: 'nothing' | 'array' | 'closed' = 'nothing'
  let isFirst = true
  let parts: Buffer[] = []
  let held = 0
  let started = 0
  let depth = 0
  let inText = false
  let escaped = false

  for await (const chunk of chunks) {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (byte === newline) line += 1
      if (depth === 0) {
        if (blanks.has(byte)) continue
        const wasFirst = isFirst
        isFirst = false
        if (around === 'array' && byte === comma) continue
        if (around === 'array' && byte === 0x5d) around = 'closed'
        else if (around === 'nothing' && wasFirst && byte === 0x5b) around = 'array'
        else if (byte === 0x7b && around !== 'closed') [depth, from, started] = [1, at, line]
        else {
          yield { line, fault: 'noJson' }
          return
        }
      } else if (escaped) escaped = false
      else if (inText) {
        if (byte === backslash) escaped = true
        else if (byte === quote) inText = false
      } else if (byte === quote) inText = true
      else if (opens.has(byte)) depth += 1
      else if (closes.has(byte)) {
        depth -= 1
        if (depth > 0) continue
        if (held + at + 1 - from > maxBytes) {
          yield { line: started, fault: 'tooLong' }
          return
        }
        const text = Buffer.concat([...parts, chunk.subarray(from, at + 1)]).toString('utf8')
        parts = []
        held = 0
        yield { text, line: started }
      }
    }
    if (depth === 0) continue
    held += chunk.length - from
    if (held > maxBytes) {
      yield { line: started, fault: 'tooLong' }
      return
    }
    parts.push(chunk.subarray(from))
  }
  if (depth > 0) yield { line: started, fault: 'noJson' }
  else if (around === 'array') yield { line, fault: 'noJson' }
}
