import type { WebhookHeaders } from '../../definition/webhookHeaders.ts'

/** Replaces a value. Responses are read as latin1, which does not contain this character. */
const mark = '•'
/** Shortest value, or prefix of a value at the end of the text, that is masked. */
const report = 4
/** Shortest word of a value that is masked by itself: shorter ones are schemes, such as Bearer. */
const secretValue = 8

/**
 * The start of a response without the values of sent headers: some receivers echo them, and the ledger stores
 * responses. Masks a whole value, also JSON-escaped, and its words (of `Bearer abcdefgh` the second one). At the end of
 * the text, which may be truncated, prefixes of values are masked too.
 */
export function withoutValues(answer: Buffer, headers: WebhookHeaders): Buffer {
  const secrets = new Set<string>()
  for (const value of Object.values(headers))
    for (const part of [value, ...value.split(' ').filter((word) => word.length >= secretValue)])
      if (part.length >= report) secrets.add(part).add(JSON.stringify(part).slice(1, -1))
  let text = answer.toString('latin1')
  // Longest first: masking a part of a longer secret would leave its remainder visible.
  const ordered = [...secrets].sort((a, b) => b.length - a.length)
  for (const secret of ordered) text = text.replaceAll(secret, mark)
  for (const secret of ordered) text = withoutPartialEnd(text, secret)
  if (!text.includes(mark)) return answer
  return Buffer.concat(
    text.split(mark).flatMap((part, i) => [Buffer.from(i > 0 ? mark : ''), Buffer.from(part, 'latin1')]),
  )
}

function withoutPartialEnd(text: string, secret: string): string {
  for (let length = Math.min(secret.length - 1, text.length); length >= report; length--)
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}${mark}`
  return text
}
