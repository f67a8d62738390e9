import { shorten } from '../../text/shorten.ts'
import { Copy } from '../Copy.tsx'

/** An address, hash or id, shortened, with a button that copies all of it. */
export function Short({ text, what, head, tail }: { text: string; what: string; head?: number; tail?: number }) {
  const ends = { ...(head !== undefined && { head }), ...(tail !== undefined && { tail }) }
  return (
    <span class="short">
      <code title={text}>{shorten(text, ends)}</code>
      <Copy text={text} what={what} />
    </span>
  )
}
