import { formatShare } from '../text/numbers.ts'

/** How much of a work is done, from 0 to 1; null: not known. `label` says of what, for those who do not see it. */
export function Progress({ share, label }: { share: number | null; label: string }) {
  return (
    <span class="progress">
      <progress max={1} {...(share !== null && { value: share })} aria-label={label} />
      {share !== null && <span>{formatShare(share)}</span>}
    </span>
  )
}
