import { type ComponentChildren, cloneElement, type VNode } from 'preact'
import { useId } from 'preact/hooks'

/** An input with its label, hint and error. The only child is the input. */
export function Field({
  label,
  hint,
  fault,
  children,
}: {
  label: ComponentChildren
  hint?: ComponentChildren
  fault?: ComponentChildren | null
  children: VNode<{ id?: string; 'aria-describedby'?: string; 'aria-invalid'?: boolean }>
}) {
  const id = useId()
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {cloneElement(children, {
        id,
        ...(described && { 'aria-describedby': described }),
        'aria-invalid': Boolean(fault),
      })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault && (
        <p class="fault" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}
