/** JSON text in UTF-8, a character for each of its bytes (latin1): parts of records are joined as they are, and decoded by nobody. */
export type ByteText = string

export const byteText = (value: unknown): ByteText => Buffer.from(JSON.stringify(value)).toString('latin1')

/** What stands between two texts, the first of which may be anywhere; '' as the second: up to the end. undefined: it is not there. */
export function between(text: ByteText, before: string, after: string): ByteText | undefined {
  const start = text.indexOf(before)
  if (start < 0) return undefined
  const from = start + before.length
  const to = after === '' ? text.length : text.indexOf(after, from)
  return to < 0 ? undefined : text.slice(from, to)
}
