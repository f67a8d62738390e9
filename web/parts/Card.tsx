import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** A part of a view under a heading. */
export function Card({
  title,
  actions,
  wide,
  children,
}: {
  title: ComponentChildren
  actions?: ComponentChildren
  /** Spans the whole width of a grid. */
  wide?: boolean
  children: ComponentChildren
}) {
  const id = useId()
  return (
    <section class={wide ? 'card wide' : 'card'} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </section>
  )
}
