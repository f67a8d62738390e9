import { useServices } from '../context/services.ts'

/** Messages about what was just done; screen readers read them when they come. */
export function ToastList() {
  const { toasts } = useServices()
  return (
    <div class="toasts" aria-live="polite" role="status">
      {toasts.list.value.map(({ id, kind, text }) => (
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
