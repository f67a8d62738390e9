import type { ComponentChildren } from 'preact'
import type { ApiFault } from '../api/apiFault.ts'
import type { UsedPoll } from '../context/usePolled.ts'
import { Ago } from './Ago.tsx'

/** Shows the state of a request: in progress, failed, or its result. Old data stays below the error. */
export function Shown<T>({ of, children }: { of: UsedPoll<T>; children: (data: T) => ComponentChildren }) {
  const { data, fault, at, again } = of
  return (
    <>
      {fault && <Failed fault={fault} at={at} again={again} />}
      {data !== undefined ? children(data) : !fault && <Loading />}
    </>
  )
}

export function Loading({ what = 'Loading' }: { what?: string }) {
  return (
    <p class="loading" role="status">
      {what} …
    </p>
  )
}

/** An empty result, which is no error. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>
}

/** `at`: when the data below was last confirmed. It is outside of the alert, as it changes every second. */
export function Failed({ fault, at, again }: { fault: ApiFault; at?: number | null; again?: () => void }) {
  return (
    <div class="failed">
      <p role="alert">
        <bdi>{fault.message}</bdi>
      </p>
      {(at != null || fault.requestId) && (
        <p class="hint">
          {at != null && (
            <>
              Last updated <Ago at={at} />.{' '}
            </>
          )}
          {fault.requestId && (
            <>
              Request id in the server's log: <code>{fault.requestId}</code>
            </>
          )}
        </p>
      )}
      {again && fault.isRetryable && (
        <button type="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}
