import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../parts/Button.tsx'
import { formatNumber, nearestBlock } from '../../text/numbers.ts'

/** Chooses a covered block of the collection, by slider or number. `block` undefined: now. */
export function BlockSlider({
  from,
  to,
  block,
  choose,
}: {
  from: number | null
  to: number | null
  block: string | undefined
  /** null: now. */
  choose(block: string | null): void
}) {
  const id = useId()
  const number = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(block ?? '')
  useLayoutEffect(() => setTyped(block ?? ''), [block])
  if (from === null || to === null || to < from) return null
  const commit = (text: string) => {
    const chosen = nearestBlock(text, to)
    // The fields show what the page shows, also if the block stays the same.
    setTyped(chosen ?? '')
    choose(chosen)
  }
  const commitNumber = () => {
    const field = number.current!
    // Text that is no number has the value '', so only this removes it.
    if (field.validity.badInput) field.value = block ?? ''
    commit(field.value)
  }
  return (
    <form
      class="block-slider"
      aria-label="State at a block"
      // Numbers beyond the limits are corrected.
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        commitNumber()
      }}
    >
      <label for={`${id}-range`}>State at block</label>
      <input
        id={`${id}-range`}
        type="range"
        min={from}
        max={to}
        step={1}
        value={typed === '' ? to : typed}
        aria-valuetext={typed === '' ? 'now' : `block ${typed}`}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onChange={(event) => commit(event.currentTarget.value)}
      />
      <input
        ref={number}
        class="block-number"
        type="number"
        aria-label="Block number"
        min={0}
        max={to}
        step={1}
        placeholder="now"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onChange={commitNumber}
      />
      <Button type="button" off={block === undefined} onClick={() => choose(null)}>
        Now
      </Button>
      <span class="hint">
        {formatNumber(from)} to {formatNumber(to)}
      </span>
    </form>
  )
}
