import { shorten } from '../../text/shorten.ts'
import { Copy } from '../Copy.tsx'

/** A shortened address, hash or id, with a button that copies the whole. */
export function Short({ text, what, head, tail }: { text: string; what: string; head?: number; tail?: number }) {
  const ends = { ...(head !== undefined && { head }), ...(tail !== undefined && { tail }) }
  return (
    <span class="short">
      <code title={text}>{shorten(text, ends)}</code>
      <Copy text={text} what={what} />
    </span>
  )
}
