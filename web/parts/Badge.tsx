import type { ComponentChildren } from 'preact'

export type BadgeKind = 'good' | 'busy' | 'warn' | 'bad' | 'plain'

/** A state in a word. The word says it, the colour only helps. */
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
