/**
 * JSON in UTF-8, as a latin1 string with one character per byte. Parts of records are concatenated without decoding.
 */
export type ByteText = string

export const byteText = (value: unknown): ByteText => Buffer.from(JSON.stringify(value)).toString('latin1')

/**
 * A body with a list of texts. Each text is written separately: a string of the whole page would be a second copy among
 * V8's large objects.
 */
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
