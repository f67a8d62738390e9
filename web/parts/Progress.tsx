import { formatShare } from '../text/numbers.ts'

/** Progress from 0 to 1; null: not known. `label`: what progresses, for screen readers. */
export function Progress({ share, label }: { share: number | null; label: string }) {
  return (
    <span class="progress">
      <progress max={1} {...(share !== null && { value: share })} aria-label={label} />
      {share !== null && <span>{formatShare(share)}</span>}
    </span>
  )
}
