import type { UsedPages } from '../context/usePages.ts'
import { Failed } from './Shown.tsx'

/** Below a list that is read page by page: a button for the next page. */
export function More({ of }: { of: Pick<UsedPages<never>, 'more' | 'busy' | 'fault'> }) {
  return (
    <>
      {of.fault && <Failed fault={of.fault} />}
      {of.more && (
        <div class="actions">
          <button type="button" disabled={of.busy} onClick={of.more}>
            Show more
          </button>
        </div>
      )}
    </>
  )
}
