import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

/** A dialog of the platform: it keeps the focus, and gives it back. Escape closes it. It is open while it is mounted. */
export function Dialog({
  title,
  close,
  children,
}: {
  title: ComponentChildren
  /** Called when the dialog was closed by whatever way. */
  close(): void
  children: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={close}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={() => dialog.current?.close()}>
          <span aria-hidden="true">✕</span>
        </button>
      </header>
      {children}
    </dialog>
  )
}
