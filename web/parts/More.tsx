import type { UsedPages } from '../context/usePages.ts'
import { Button } from './Button.tsx'
import { Failed } from './Shown.tsx'

/** Below a list that is read page by page: a button for the next page, and one to reload if the first page has changed. */
export function More({ of }: { of: Pick<UsedPages<unknown>, 'pages' | 'more' | 'restart' | 'busy' | 'fault'> }) {
  return (
    <>
      {of.fault && <Failed fault={of.fault} />}
      {of.restart && (
        <p class="hint" role="status">
          The list has changed since it was loaded.
        </p>
      )}
      {(of.more || of.restart) && (
        <div class="actions">
          {of.more && (
            <Button type="button" off={of.busy} onClick={of.more}>
              Show more
            </Button>
          )}
          {of.restart && (
            <button type="button" onClick={of.restart}>
              Reload list
            </button>
          )}
        </div>
      )}
      {of.pages.length > 1 && !of.more && (
        <p class="hint" tabIndex={-1} ref={takeFocus}>
          End of the list.
        </p>
      )}
    </>
  )
}

/** The button of the last page disappears with the focus of the keyboard, which would begin again at the top. */
function takeFocus(end: HTMLElement | null): void {
  if (document.activeElement === document.body) end?.focus()
}
