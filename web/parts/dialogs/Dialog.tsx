import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { ToastList } from './ToastList.tsx'

/** A dialog of the platform: it keeps the focus, and gives it back. Escape closes it. It is open while it is mounted. */
export function Dialog({
  title,
  close,
  children,
}: {
  title: ComponentChildren
  /** Called when somebody closed the dialog, by whatever way. */
  close(): void
  children: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // The platform reports a closing a moment later, when another dialog may have replaced a removed one.
  const isGone = useRef(false)
  useEffect(() => {
    const element = dialog.current
    isGone.current = false
    element?.showModal()
    return () => {
      isGone.current = true
      element?.close()
    }
  }, [])
  const closed = () => {
    if (!isGone.current) close()
  }
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={closed}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={() => dialog.current?.close()}>
          <span aria-hidden="true">✕</span>
        </button>
      </header>
      {children}
      <ToastList />
    </dialog>
  )
}
