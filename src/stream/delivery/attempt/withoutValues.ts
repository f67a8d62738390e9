import type { WebhookHeaders } from '../../definition/webhookHeaders.ts'

/** Replaces a value. An answer is read as latin1, which does not have this character. */
const mark = '•'
/** Characters from which on a value, or the beginning of one, is masked: shorter ones show nothing. */
const report = 4
/** Characters from which on a word of a value is masked by itself: shorter ones name a scheme, such as Bearer. */
const secretWord = 8

/**
 * The start of an answer without the values of the headers that were sent: some receivers repeat them in their answer, which the
 * ledger keeps. A value is masked if the text contains all of it, also as JSON writes it, or one of its words (of `Bearer abcdefgh` the second one).
 * At the end of the text its beginning is masked too, as the text may be cut there.
 */
export function withoutValues(answer: Buffer, headers: WebhookHeaders): Buffer {
  const secrets = new Set<string>()
  for (const value of Object.values(headers))
    for (const part of [value, ...value.split(' ').filter((word) => word.length >= secretWord)])
      if (part.length >= report) secrets.add(part).add(JSON.stringify(part).slice(1, -1))
  let text = answer.toString('latin1')
  // The longest first: masking a part of a longer secret would leave the rest of it.
  const ordered = [...secrets].sort((a, b) => b.length - a.length)
  for (const secret of ordered) text = text.replaceAll(secret, mark)
  for (const secret of ordered) text = withoutBegunAtEnd(text, secret)
  if (!text.includes(mark)) return answer
  return Buffer.concat(
    text.split(mark).flatMap((part, i) => [Buffer.from(i > 0 ? mark : ''), Buffer.from(part, 'latin1')]),
  )
}

function withoutBegunAtEnd(text: string, secret: string): string {
  for (let length = Math.min(secret.length - 1, text.length); length >= report; length--)
    if (text.endsWith(secret.slice(0, length))) return `${text.slice(0, -length)}${mark}`
  return text
}
