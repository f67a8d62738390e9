import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../Button.tsx'
import { ToastList } from './ToastList.tsx'

/**
 * A native dialog: it traps the focus and restores it. It is open while mounted. Escape closes it, except during its request: the response may
 * be shown only once, or concern the page below.
 */
export function Dialog({
  title,
  busy = false,
  close,
  children,
}: {
  title: ComponentChildren
  /** The request of the dialog is in progress. */
  busy?: boolean
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
    <dialog
      ref={dialog}
      aria-labelledby={id}
      closedby={busy ? 'none' : 'closerequest'}
      // For browsers without `closedby`. Chromium ignores it at a second Escape.
      onCancel={(event) => busy && event.preventDefault()}
      onClose={closed}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <Button type="button" class="quiet" aria-label="Close" off={busy} onClick={() => dialog.current?.close()}>
          <span aria-hidden="true">✕</span>
        </Button>
      </header>
      {children}
      <ToastList />
    </dialog>
  )
}
