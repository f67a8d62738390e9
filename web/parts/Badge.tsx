import type { ComponentChildren } from 'preact'

export type BadgeKind = 'good' | 'busy' | 'warn' | 'bad' | 'plain'

/** A state in a word. The colour adds no information. */
export function Badge({
  kind = 'plain',
  title,
  children,
}: {
  kind?: BadgeKind
  title?: string
  children: ComponentChildren
}) {
  return (
    <span class={`badge ${kind}`} title={title}>
      {children}
    </span>
  )
}
