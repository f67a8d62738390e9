import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { ToastList } from '../parts/dialogs/ToastList.tsx'

/** The sign-in page above a page whose session ended: a modal dialog, as that page may have an open dialog itself. */
export function SignInAgain({ children }: { children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      class="whole"
      aria-label="Sign in"
      closedby="none"
      // For browsers without `closedby`. Chromium ignores it at a second Escape.
      onCancel={(event) => event.preventDefault()}
    >
      {children}
      <ToastList />
    </dialog>
  )
}
