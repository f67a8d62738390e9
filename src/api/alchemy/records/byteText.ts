/** JSON text in UTF-8, a character for each of its bytes (latin1): parts of records are joined as they are, and decoded by nobody. */
export type ByteText = string

export const byteText = (value: unknown): ByteText => Buffer.from(JSON.stringify(value)).toString('latin1')

/** What is between two texts, the first of which may be anywhere; '' as the second: up to the end. undefined: it is not there. */
export function between(text: ByteText, before: string, after: string, begin = 0): ByteText | undefined {
  const start = text.indexOf(before, begin)
  if (start < 0) return undefined
  const from = start + before.length
  const to = after === '' ? text.length : text.indexOf(after, from)
  return to < 0 ? undefined : text.slice(from, to)
}

/** A body with a list of texts in it. Each is written by itself: a text of a whole page would be made once more, and lie among V8's large objects. */
export function bodyWith(before: ByteText, list: readonly ByteText[], after: ByteText): Buffer {
  const between = Math.max(0, list.length - 1)
  const body = Buffer.allocUnsafe(
    list.reduce((sum, { length }) => sum + length, before.length + after.length + between),
  )
  let at = body.write(before, 0, 'latin1')
  for (const [i, text] of list.entries()) {
    if (i > 0) body[at++] = comma
    at += body.write(text, at, 'latin1')
  }
  body.write(after, at, 'latin1')
  return body
}

const comma = ','.charCodeAt(0)
