import type { UsedPages } from '../context/usePages.ts'
import { Failed } from './Shown.tsx'

/** Below a list that is read page by page: a button for the next page, and one to reload if the first page has changed. */
export function More({ of }: { of: Pick<UsedPages<never>, 'more' | 'anew' | 'busy' | 'fault'> }) {
  return (
    <>
      {of.fault && <Failed fault={of.fault} />}
      {of.anew && (
        <p class="hint" role="status">
          The list has changed since it was read.
        </p>
      )}
      {(of.more || of.anew) && (
        <div class="actions">
          {of.more && (
            <button type="button" disabled={of.busy} onClick={of.more}>
              Show more
            </button>
          )}
          {of.anew && (
            <button type="button" onClick={of.anew}>
              Reload the list
            </button>
          )}
        </div>
      )}
    </>
  )
}
