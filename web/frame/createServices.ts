import { computed } from '@preact/signals'
import type { ApiCall } from '../api/apiCall.ts'
import { ApiFault } from '../api/apiFault.ts'
import { createPoller } from '../api/poller.ts'
import { type Answered, openCall, sendCall } from '../api/sendCall.ts'
import { createSession, takeKeyFromAddress } from '../api/session.ts'
import { withinLimit } from '../api/withinLimit.ts'
import { createRouter } from '../context/router.ts'
import type { Services } from '../context/services.ts'
import { createShownCalls } from '../context/shownCalls.ts'
import { createToasts } from '../context/toasts.ts'

/** Puts together what the parts of the console share, for one page. */
export function createServices(window: Window): Services {
  // Before anything else: a key in the address is seen, and copied with it.
  const given = takeKeyFromAddress(window.location, window.history)
  if (given !== undefined) window.sessionStorage.clear()
  const session = createSession({ storage: window.sessionStorage })
  if (given !== undefined) void session.signIn(given)
  // A link that is opened in a tab which shows the console already loads nothing.
  window.addEventListener('hashchange', () => {
    const key = takeKeyFromAddress(window.location, window.history)
    const { value } = session.state
    if (key !== undefined && !(value.status === 'in' && value.key === key)) void session.signIn(key)
  })

  /** A key that is refused ends the session. */
  async function keyed<Answer>(ask: (key: string) => Promise<Answer>): Promise<Answer> {
    const { value } = session.state
    if (value.status !== 'in') throw new ApiFault('nobody is signed in', { status: 401 })
    try {
      return await ask(value.key)
    } catch (error) {
      // Another key may have been given meanwhile.
      if (error instanceof ApiFault && error.status === 401 && session.state.value === value)
        session.signOut(error.message)
      throw error
    }
  }

  const sendKeyed = <T>(call: ApiCall<T>, options: { etag?: string | null; signal?: AbortSignal }) =>
    keyed((key) => sendCall(call, { ...options, key }))

  const poller = createPoller({ send: sendKeyed, visible: window.document.visibilityState === 'visible' })
  window.document.addEventListener('visibilitychange', () =>
    poller.setVisible(window.document.visibilityState === 'visible'),
  )

  return {
    session,
    poller,
    router: createRouter(window),
    toasts: createToasts(),
    shown: createShownCalls(),
    access: computed(() => (session.state.value.status === 'in' ? session.state.value.access : 'read')),
    send: async (call) => (await withinLimit(call, (signal) => sendKeyed(call, { signal }))) as Answered<never>,
    open: (call, signal) => keyed((key) => openCall(call, { key, signal })),
    origin: window.location.origin,
  }
}
