import { useLayoutEffect, useState } from 'preact/hooks'
import { useServices } from '../../context/services.ts'

/**
 * Messages about the last actions; screen readers announce them. A dialog has its own list, as it covers everything outside and hides it from
 * readers. The list that was mounted last shows the messages.
 */
export function ToastList() {
  const { toasts } = useServices()
  const [own] = useState(() => Symbol('toasts'))
  useLayoutEffect(() => toasts.takePlace(own), [toasts, own])
  const shown = toasts.place.value === own ? toasts.list.value : []
  return (
    <div class="toasts" aria-live="polite" role="status">
      {shown.map(({ id, kind, text }) => (
        <p key={id} class={kind}>
          <span>{text}</span>
          <button type="button" class="quiet" aria-label="Dismiss" onClick={() => toasts.dismiss(id)}>
            <span aria-hidden="true">✕</span>
          </button>
        </p>
      ))}
    </div>
  )
}
