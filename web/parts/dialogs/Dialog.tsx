import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { ToastList } from './ToastList.tsx'

/** A native dialog: it traps the focus and restores it. Escape closes it. It is open while mounted. */
export function Dialog({
  title,
  close,
  children,
}: {
  title: ComponentChildren
  /** Called when the user has closed the dialog. */
  close(): void
  children: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // The close event comes later, when another dialog may have replaced this one.
  const isUnmounted = useRef(false)
  // Not in a later effect: a key that is pressed before the dialog opens would not reach it.
  useLayoutEffect(() => {
    const element = dialog.current
    isUnmounted.current = false
    element?.showModal()
    return () => {
      isUnmounted.current = true
      element?.close()
    }
  }, [])
  const closed = () => {
    if (!isUnmounted.current) close()
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
