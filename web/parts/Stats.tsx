import type { ComponentChildren } from 'preact'

export type Stat = {
  name: string
  value: ComponentChildren
  /** Unit or meaning of the value. */
  hint?: ComponentChildren
  kind?: 'bad' | 'warn'
}

/** A row of figures, each with its name. */
export function Stats({ of }: { of: readonly Stat[] }) {
  return (
    <dl class="stats">
      {of.map(({ name, value, hint, kind }) => (
        <div key={name} class={kind}>
          <dt>{name}</dt>
          <dd>
            <span class="figure">{value}</span>
            {hint !== undefined && <span class="hint">{hint}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
